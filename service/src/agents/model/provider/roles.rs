//! The roles of messages, for servers and templates that want person and model in turns, or know no
//! role of the system.

use serde_json::{Value, json};

use super::habits::Habits;

/// The message of the model between results of tools and a message of the person, where a server
/// wants one.
const BRIDGE_MESSAGE: &str = "I have the results.";

/// Returns the messages with roles, and in an order of roles, that a server with these habits
/// takes.
pub(in crate::agents::model) fn fit_roles(messages: Vec<Value>, habits: &Habits) -> Vec<Value> {
    let joins = habits.alternate || habits.no_system;
    if !joins && !habits.answer_after_results {
        return messages;
    }
    let mut joined: Vec<Value> = Vec::new();
    for mut message in messages {
        if habits.no_system
            && let Some(role) = message.get_mut("role").filter(|role| *role == "system")
        {
            *role = "user".into();
        }
        match joined.last_mut() {
            Some(last)
                if joins
                    && is_plain(last)
                    && is_plain(&message)
                    && role(last) == role(&message) =>
            {
                join(last, &message);
            }
            Some(last)
                if habits.answer_after_results
                    && role(last) == "tool"
                    && role(&message) == "user" =>
            {
                joined.push(json!({ "role": "assistant", "content": BRIDGE_MESSAGE }));
                joined.push(message);
            }
            _ => joined.push(message),
        }
    }
    joined
}

fn role(message: &Value) -> &str {
    message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns true for words of the person or of the model; false for instructions, calls and results.
fn is_plain(message: &Value) -> bool {
    ["user", "assistant"].contains(&role(message)) && message.get("tool_calls").is_none()
}

fn join(last: &mut Value, next: &Value) {
    let (Some(before), Some(after)) = (last.get_mut("content"), next.get("content")) else {
        return;
    };
    *before = match (before.take(), after) {
        (Value::Null, after) => after.clone(),
        (before, Value::Null) => before,
        (Value::String(before), Value::String(after)) => format!("{before}\n\n{after}").into(),
        (before, after) => [parts(&before), parts(after)].concat().into(),
    };
}

fn parts(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(parts) => parts.clone(),
        text => vec![json!({ "type": "text", "text": text })],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::fit_roles;
    use crate::agents::model::provider::habits::Habits;

    #[test]
    fn messages_of_one_side_are_one_and_results_stay_apart() {
        let user = |content: Value| json!({ "role": "user", "content": content });
        let image = json!({ "type": "image_url", "image_url": { "url": "data:" } });
        let calls = json!({ "role": "assistant", "content": null, "tool_calls": [] });
        let result = |id: u8| json!({ "role": "tool", "tool_call_id": id, "content": "" });
        let messages = vec![
            json!({ "role": "system", "content": "Help." }),
            user("a".into()),
            user("b".into()),
            calls.clone(),
            result(1),
            result(2),
            user("c".into()),
            user(json!([image])),
        ];
        let unchanged = fit_roles(messages.clone(), &Habits::default());
        assert_eq!(unchanged, messages);
        let last = user(json!([{ "type": "text", "text": "c" }, image]));
        let rest = [calls, result(1), result(2), last];
        let alternate = Habits {
            alternate: true,
            ..Habits::default()
        };
        let found = fit_roles(messages.clone(), &alternate);
        assert_eq!(found[..2], [messages[0].clone(), user("a\n\nb".into())]);
        assert_eq!(found[2..], rest);
        let answers = Habits {
            answer_after_results: true,
            ..Habits::default()
        };
        let found = fit_roles(messages.clone(), &answers);
        let between = json!({ "role": "assistant", "content": super::BRIDGE_MESSAGE });
        assert_eq!(found[..6], messages[..6]);
        assert_eq!((&found[6], found.len()), (&between, messages.len() + 1));
        let no_system = Habits {
            no_system: true,
            ..Habits::default()
        };
        let found = fit_roles(messages, &no_system);
        assert_eq!(found[0], user("Help.\n\na\n\nb".into()));
        assert_eq!(found[1..], rest);
    }
}
