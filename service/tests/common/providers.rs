//! Providers, as rude as they are: what each of them refuses in a request, and in which words.

use serde_json::{Value, json};

use super::model::Reply;

fn refused(status: u16, body: &Value) -> Option<Reply> {
    let json = vec![("content-type", "application/json")];
    Some(Reply::Status(status, json, body.to_string()))
}

/// A refusal of OpenAI.
fn openai_error(message: &str, param: &str, code: &str) -> Option<Reply> {
    refused(
        400,
        &json!({ "error": { "message": message, "type": "invalid_request_error", "param": param,
            "code": code } }),
    )
}

/// OpenAI and Azure refuse a whole request for one schema.
pub fn openai_schemas(request: &Value) -> Option<Reply> {
    let tools = request["tools"].as_array().into_iter().flatten();
    for (at, tool) in tools.enumerate() {
        let function = &tool["function"];
        let name = function["name"].as_str().unwrap();
        let top = &function["parameters"];
        let fault = if top["type"] != "object" {
            Some(format!(
                "schema must be a JSON Schema of 'type: \"object\"', got 'type: {}'.",
                top["type"]
            ))
        } else if let Some(keyword) = ["anyOf", "oneOf", "allOf", "enum", "not"]
            .iter()
            .find(|keyword| top.get(**keyword).is_some())
        {
            Some(format!(
                "schema must have type 'object' and not have '{keyword}' at the top level."
            ))
        } else {
            schema_fault(top, "()")
        };
        if let Some(fault) = fault {
            let message = format!("Invalid schema for function '{name}': {fault}");
            let param = format!("tools[{at}].function.parameters");
            return openai_error(&message, &param, "invalid_function_parameters");
        }
    }
    None
}

fn schema_fault(schema: &Value, context: &str) -> Option<String> {
    let Some(map) = schema.as_object() else {
        return Some(format!("{schema} is not of type 'object', 'boolean'."));
    };
    let kinds = [
        "string", "integer", "number", "boolean", "array", "object", "null",
    ];
    let kind = &schema["type"];
    if kind.as_str().is_some_and(|kind| !kinds.contains(&kind)) {
        return Some(format!(
            "{kind} is not valid under any of the given schemas."
        ));
    }
    if kind == "object" && !map.contains_key("properties") {
        return Some(format!(
            "In context={context}, object schema missing properties."
        ));
    }
    if kind == "array" && !map.contains_key("items") {
        return Some(format!("In context={context}, array schema missing items."));
    }
    if map.contains_key("definitions") || map.contains_key("$ref") {
        return Some(format!(
            "In context={context}, reference can only point to definitions."
        ));
    }
    if let Some(properties) = map.get("properties") {
        let Some(properties) = properties.as_object() else {
            return Some(format!("{properties} is not of type 'object'."));
        };
        for (name, property) in properties {
            if let Some(fault) = schema_fault(property, &format!("('properties', '{name}')")) {
                return Some(fault);
            }
        }
    }
    map.get("items")
        .and_then(|items| schema_fault(items, "('items')"))
}

/// Mistral takes ids of calls of one form.
pub fn mistral_ids(request: &Value) -> Option<Reply> {
    for message in request["messages"].as_array().unwrap() {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let ids = calls
            .map(|call| &call["id"])
            .chain(message.get("tool_call_id"));
        for id in ids {
            let id = id.as_str().unwrap();
            if id.len() != 9 || !id.chars().all(|c| c.is_ascii_alphanumeric()) {
                let message =
                    format!("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.");
                return refused(
                    400,
                    &json!({ "object": "error", "message": message,
                        "type": "invalid_function_call", "param": null, "code": "3280" }),
                );
            }
        }
    }
    None
}

/// Mistral knows no other parameters than its own.
pub fn mistral_parameters(request: &Value) -> Option<Reply> {
    let known = [
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "stream",
        "max_tokens",
        "temperature",
        "response_format",
    ];
    let names = request.as_object().unwrap().keys();
    let unknown = names.filter(|name| !known.contains(&name.as_str()));
    let detail: Vec<Value> = unknown
        .map(|name| {
            json!({ "type": "extra_forbidden", "loc": ["body", name],
                "msg": "Extra inputs are not permitted", "input": request[name] })
        })
        .collect();
    if detail.is_empty() {
        return None;
    }
    refused(
        422,
        &json!({ "object": "error", "message": { "detail": detail },
            "type": "invalid_request_error", "param": null, "code": null }),
    )
}

/// OpenAI's newer models have another name for the limit.
pub fn openai_limit(request: &Value) -> Option<Reply> {
    request.get("max_tokens")?;
    openai_error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
         'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    )
}

/// LiteLLM before Bedrock refuses calls in a history without tools, and knows no choice of none.
pub fn bedrock_tools(request: &Value) -> Option<Reply> {
    let messages = request["messages"].as_array().unwrap();
    let calls = messages.iter().any(|it| it.get("tool_calls").is_some());
    let message = if calls && request.get("tools").is_none() {
        "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` \
         param specified. Pass `tools=` param OR set `litellm.modify_params = True`."
    } else if request["tool_choice"] == "none" {
        "litellm.UnsupportedParamsError: bedrock does not support parameters: ['tool_choice'], for \
         model=claude."
    } else {
        return None;
    };
    refused(
        400,
        &json!({ "error": { "message": message, "code": "400" } }),
    )
}

/// Gemini wants the signature of the first call of an answer back, and no made-up one beside it.
pub fn gemini_signatures(request: &Value) -> Option<Reply> {
    for message in request["messages"].as_array().unwrap() {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let signatures: Vec<&Value> = calls
            .map(|call| &call["extra_content"]["google"]["thought_signature"])
            .collect();
        let fault = match signatures.split_first() {
            Some((Value::Null, _)) => {
                "Function call is missing a thought_signature in functionCall parts."
            }
            Some((first, rest)) if **first != MADE_UP && rest.iter().any(|it| **it == MADE_UP) => {
                "Thought signature is not valid."
            }
            _ => continue,
        };
        let error = json!({ "code": 400, "status": "INVALID_ARGUMENT", "message": fault });
        return refused(400, &json!([{ "error": error }]));
    }
    None
}

const MADE_UP: &str = "skip_thought_signature_validator";

/// DeepSeek wants the thoughts before calls back.
pub fn deepseek_thoughts(request: &Value) -> Option<Reply> {
    let mut messages = request["messages"].as_array().unwrap().iter();
    let at = messages.position(|message| {
        message.get("tool_calls").is_some() && message.get("reasoning_content").is_none()
    })?;
    let message = format!(
        "Missing `reasoning_content` field in the assistant message at message index {at}."
    );
    refused(400, &json!({ "error": { "message": message } }))
}

/// A server that wants both.
pub fn signatures(request: &Value) -> Option<Reply> {
    gemini_signatures(request).or_else(|| deepseek_thoughts(request))
}

/// Mistral wants the model to speak between results and the person, and knows no thoughts but parts.
pub fn mistral_messages(request: &Value) -> Option<Reply> {
    let messages = request["messages"].as_array().unwrap();
    let follows = |pair: &[Value]| pair[0]["role"] == "tool" && pair[1]["role"] == "user";
    let message = if messages.windows(2).any(follows) {
        "Unexpected role 'user' after role 'tool'"
    } else if messages
        .iter()
        .any(|it| it.get("reasoning_content").is_some())
    {
        "reasoning_content: Extra inputs are not permitted"
    } else {
        return None;
    };
    let error = json!({ "object": "error", "message": message, "type": "invalid_request_message_order",
        "param": null, "code": "3230" });
    refused(400, &error)
}

/// Claude behind Bedrock takes blocks of thoughts back with their signatures alone.
pub fn bedrock_thoughts(request: &Value) -> Option<Reply> {
    let messages = request["messages"].as_array().unwrap();
    let blocks = messages
        .iter()
        .filter_map(|it| it["thinking_blocks"].as_array());
    let unsigned = blocks
        .flatten()
        .any(|block| !block["signature"].is_string());
    let message = "litellm.BadRequestError: BedrockException - \
        messages.1.content.0.thinking.signature: Field required";
    let error = json!({ "error": { "message": message, "code": "400" } });
    unsigned.then(|| refused(400, &error)).flatten()
}

/// OpenAI and others want a result for each call right behind it.
pub fn openai_results(request: &Value) -> Option<Reply> {
    let messages = request["messages"].as_array().unwrap();
    for (at, message) in messages.iter().enumerate() {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let behind = &messages[at + 1..];
        let results = behind.iter().take_while(|it| it["role"] == "tool");
        let results: Vec<&Value> = results.map(|it| &it["tool_call_id"]).collect();
        if calls
            .into_iter()
            .any(|call| !results.contains(&&call["id"]))
        {
            let message = "An assistant message with 'tool_calls' must be followed by tool messages \
                responding to each 'tool_call_id'.";
            return openai_error(message, "messages", "invalid_request_error");
        }
    }
    None
}

/// Models of OpenAI that reason take no `parallel_tool_calls`, whatever its value.
pub fn no_parallel_calls(request: &Value) -> Option<Reply> {
    request.get("parallel_tool_calls")?;
    openai_error(
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
        "parallel_tool_calls",
        "unsupported_parameter",
    )
}

/// DeepSeek forces no call while the model thinks.
pub fn no_forced_calls(request: &Value) -> Option<Reply> {
    let choice = request.get("tool_choice")?;
    if choice == "auto" || choice == "none" {
        return None;
    }
    let message = "Thinking mode does not support this tool_choice";
    refused(
        400,
        &json!({ "error": { "message": message, "type": "invalid_request_error", "param": null,
            "code": "invalid_request_error" } }),
    )
}

/// OpenRouter has no server for a choice.
pub fn no_endpoint_for_the_choice(request: &Value) -> Option<Reply> {
    no_forced_calls(request)?;
    let message = "No endpoints found that support the provided 'tool_choice' value.";
    refused(
        404,
        &json!({ "error": { "message": message, "code": 404 } }),
    )
}

/// A model that has to call does so, whatever is there already.
pub fn forced_calls(request: &Value) -> Option<Reply> {
    let is_first = request["messages"].as_array()?.last()?["role"] == "user";
    let choice = request.get("tool_choice")?;
    let forced = choice != "auto" && choice != "none" && !is_first;
    forced.then(|| super::model::calls("", &[("notes__list", json!({}))]))
}

/// What the server of a preset refuses in a request.
pub fn refuses_as(preset: &str, request: &Value) -> Option<Reply> {
    let rules: &[fn(&Value) -> Option<Reply>] = match preset {
        "openai" | "azure" => &[openai_schemas, openai_limit, openai_results],
        "mistral" => &[mistral_parameters, mistral_ids, mistral_messages],
        "gemini" => &[gemini_signatures],
        "anthropic-compatible" | "bedrock" => &[bedrock_tools, bedrock_thoughts, openai_results],
        "deepseek" => &[deepseek_thoughts, openai_results],
        _ => &[openai_results],
    };
    rules.iter().find_map(|rule| rule(request))
}
