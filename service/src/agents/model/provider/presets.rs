//! The habits of well-known servers: one row each. `docs/PROVIDERS.md` says how each is known.

use super::habits::{Habits, NoToolsMethod, ReturnedThoughts};

/// A well-known server and its habits.
struct Preset {
    name: &'static str,
    omit: &'static [&'static str],
    max_tokens_name: &'static str,
    without_tools: NoToolsMethod,
    thoughts: ReturnedThoughts,
    answer_after_results: bool,
    signed_calls: bool,
}

/// The habits of most servers, from which the rows differ.
const USUAL_PRESET: Preset = Preset {
    name: "",
    omit: &[],
    max_tokens_name: "max_tokens",
    without_tools: NoToolsMethod::NoTools,
    thoughts: ReturnedThoughts::Given,
    answer_after_results: false,
    signed_calls: false,
};

const PRESETS: [Preset; 10] = [
    Preset {
        name: "openai",
        without_tools: NoToolsMethod::Choice,
        max_tokens_name: "max_completion_tokens",
        thoughts: ReturnedThoughts::Never,
        ..USUAL_PRESET
    },
    Preset {
        name: "azure",
        without_tools: NoToolsMethod::Choice,
        max_tokens_name: "max_completion_tokens",
        thoughts: ReturnedThoughts::Never,
        ..USUAL_PRESET
    },
    Preset {
        name: "mistral",
        without_tools: NoToolsMethod::Choice,
        omit: &["stream_options"],
        thoughts: ReturnedThoughts::Never,
        answer_after_results: true,
        ..USUAL_PRESET
    },
    Preset {
        name: "gemini",
        signed_calls: true,
        without_tools: NoToolsMethod::Choice,
        ..USUAL_PRESET
    },
    Preset {
        name: "anthropic-compatible",
        without_tools: NoToolsMethod::Words,
        thoughts: ReturnedThoughts::Never,
        ..USUAL_PRESET
    },
    Preset {
        name: "bedrock",
        without_tools: NoToolsMethod::Words,
        ..USUAL_PRESET
    },
    Preset {
        name: "ollama",
        ..USUAL_PRESET
    },
    Preset {
        name: "vllm",
        without_tools: NoToolsMethod::Choice,
        ..USUAL_PRESET
    },
    Preset {
        name: "llama.cpp",
        without_tools: NoToolsMethod::Choice,
        ..USUAL_PRESET
    },
    Preset {
        name: "deepseek",
        without_tools: NoToolsMethod::Choice,
        thoughts: ReturnedThoughts::Always,
        ..USUAL_PRESET
    },
];

/// Parts of the names of models whose thoughts come first in their text, up to a lone `</think>`,
/// where the server does not take them out: the templates of these begin the thoughts themselves.
const THINK_FIRST_MODELS: [&str; 4] = ["deepseek-r1", "qwq", "-thinking", "nemotron-nano"];

/// Returns the habits of the well-known server with this name; an error lists the names that there
/// are.
pub(in crate::agents::model) fn preset(name: &str) -> Result<Habits, String> {
    let Some(row) = PRESETS.iter().find(|row| row.name == name) else {
        let names: Vec<&str> = PRESETS.iter().map(|row| row.name).collect();
        return Err(format!("{name:?} is none of {}", names.join(", ")));
    };
    Ok(Habits {
        omit: row.omit.iter().map(|name| (*name).to_owned()).collect(),
        max_tokens_name: row.max_tokens_name.to_owned(),
        without_tools: row.without_tools,
        thoughts: row.thoughts,
        answer_after_results: row.answer_after_results,
        signed_calls: row.signed_calls,
        ..Habits::default()
    })
}

/// Returns true if the thoughts of a model of this name come first in its text.
pub(in crate::agents::model) fn thinks_first(model: &str) -> bool {
    let model = model.to_lowercase();
    THINK_FIRST_MODELS.iter().any(|part| model.contains(part))
}

#[cfg(test)]
mod tests {
    use super::{preset, thinks_first};

    #[test]
    fn an_operator_reads_what_is_special_about_a_server() {
        let limit = "calls the limit max_completion_tokens";
        let none = "says tool_choice = \"none\" where no tool may be called";
        let words = "tells calls in words where there are no tools";
        for (name, lines) in [
            ("openai", &[limit, none][..]),
            ("mistral", &["leaves out stream_options", none]),
            ("bedrock", &[words]),
            ("ollama", &[]),
        ] {
            assert_eq!(preset(name).unwrap().describe(), lines, "{name}");
        }
        let mut habits = preset("ollama").unwrap();
        habits.parameters.insert("top_p".to_owned(), 0.5.into());
        habits.tool_choice = Some("required".into());
        habits.parallel_tool_calls = Some(false);
        let sends = "sends top_p, tool_choice, parallel_tool_calls";
        assert_eq!(habits.describe(), [sends]);
    }

    #[test]
    fn models_that_think_first_are_known_by_their_names() {
        for (name, first) in [
            ("deepseek-r1:8b", true),
            ("Qwen/QwQ-32B", true),
            ("Qwen3-30B-A3B-Thinking-2507", true),
            ("NVIDIA-Nemotron-Nano-9B-v2", true),
            ("deepseek-chat", false),
            ("qwen3:8b", false),
            ("thinking-machines", false),
        ] {
            assert_eq!(thinks_first(name), first, "{name}");
        }
    }
}
