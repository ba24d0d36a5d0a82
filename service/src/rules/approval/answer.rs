//! The form of an approval answer: required fields and allowed values (specification,
//! `ToolApprovalResponse`).

use assent_protocol::{ApprovalRequest, BadPost, ErrorDetails, Issue, RejectedForm};
use serde_json::{Map, Value};

use super::{Verdict, granting::read_grant};
use crate::rules::grant::WantedGrant;

/// One decision of an answer to a batch, whose form is right.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmittedDecision {
    /// The id of the tool run that the result is about.
    pub execution_id: String,
    /// The id of the batch that the result names.
    pub batch_id: String,
    /// The verdict about the tool run.
    pub verdict: Verdict,
    /// The extension `acceptDefinition`: false where this call alone is approved, and not its tool
    /// as it is defined now.
    pub accepts_definition: bool,
    /// The extension `grant`: the calls that are allowed beforehand, if any are.
    pub grant: Option<WantedGrant>,
    /// The extension `editedArguments`: all arguments of the call, as the person wants it to run; `None`
    /// for those of the request.
    pub edited: Option<Map<String, Value>>,
    /// The item as it was sent: it echoes the request.
    pub echo: Map<String, Value>,
}

const REQUIRED_FIELDS: [&str; 8] = [
    "toolId",
    "toolName",
    "toolProvider",
    "toolCategory",
    "toolExecutionId",
    "toolExecutionBatchId",
    "toolMemoryId",
    "approvalResult",
];

const ACCEPT_FIELD: &str = "acceptDefinition";

const GRANT_FIELD: &str = "grant";

const EDITED_FIELD: &str = "editedArguments";

/// Reads the approval results of a post as decisions.
///
/// # Errors
///
/// The rejection, with one issue for each fault of the first batch that has any.
pub fn read_answer(results: &[Value]) -> Result<Vec<SubmittedDecision>, RejectedForm> {
    let mut submitted = Vec::new();
    let mut faults: Vec<(String, Issue)> = Vec::new();
    for item in results {
        let none = Map::new();
        let fields = item.as_object().unwrap_or(&none);
        let text = |name| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let errors = faults_of(fields);
        match Verdict::read(text("approvalResult")) {
            Some(verdict) if errors.is_empty() => submitted.push(SubmittedDecision {
                execution_id: text("toolExecutionId").to_owned(),
                batch_id: text("toolExecutionBatchId").to_owned(),
                verdict,
                accepts_definition: fields.get(ACCEPT_FIELD) != Some(&Value::Bool(false)),
                grant: fields.get(GRANT_FIELD).and_then(|it| read_grant(it).ok()),
                edited: fields.get(EDITED_FIELD).and_then(Value::as_object).cloned(),
                echo: fields.clone(),
            }),
            _ => faults.extend(errors.into_iter().map(|error| {
                let issue = Issue {
                    tool_execution_id: text("toolExecutionId").into(),
                    error,
                };
                (text("toolExecutionBatchId").to_owned(), issue)
            })),
        }
    }
    let Some((batch_id, _)) = faults.first().cloned() else {
        return Ok(submitted);
    };
    let issues = faults
        .into_iter()
        .filter(|(batch, _)| *batch == batch_id)
        .map(|(_, issue)| issue)
        .collect();
    Err(rejected(
        &batch_id,
        "The decisions could not be read. Send every field of the request back and set approvalResult.",
        issues,
    ))
}

fn faults_of(fields: &Map<String, Value>) -> Vec<String> {
    let mut errors: Vec<String> = REQUIRED_FIELDS
        .iter()
        .filter_map(|name| match fields.get(*name) {
            None | Some(Value::Null) => Some(format!("The required field {name} is missing.")),
            Some(Value::String(_)) => None,
            Some(_) => Some(format!("The field {name} must be a string.")),
        })
        .collect();
    if let Some(Value::String(result)) = fields.get("approvalResult")
        && Verdict::read(result).is_none()
    {
        errors.push(format!(
            "approvalResult is {result:?}; APPROVED, DENIED and ABORTED_WITH_FEEDBACK are allowed."
        ));
    }
    if fields.get(ACCEPT_FIELD).is_some_and(|it| !it.is_boolean()) {
        errors.push(format!("{ACCEPT_FIELD} must be true or false."));
    }
    if fields.get(EDITED_FIELD).is_some_and(|it| !it.is_object()) {
        errors.push(format!("{EDITED_FIELD} must be an object."));
    }
    if let Some(Err(fault)) = fields.get(GRANT_FIELD).map(read_grant) {
        errors.push(fault);
    }
    errors
}

/// Returns the rejection of an answer to a batch whose form is wrong: a message, and the faults of
/// the batch's results. It is the first of the specification's two shapes of a rejection.
pub(super) fn rejected(batch_id: &str, message: &str, issues: Vec<Issue>) -> RejectedForm {
    RejectedForm {
        message: message.to_owned(),
        error: "Invalid tool approval result".to_owned(),
        details: ErrorDetails {
            batch_id: batch_id.into(),
            issues,
        },
    }
}

/// Returns the rejection of one decision of an answer, for this reason.
pub(crate) fn refuse_one(request: &ApprovalRequest, reason: &str) -> BadPost {
    let issue = Issue {
        tool_execution_id: request.tool_execution_id.clone(),
        error: reason.to_owned(),
    };
    let batch = request.tool_execution_batch_id.as_str();
    BadPost::Form(rejected(
        batch,
        "The decision cannot be taken as it is.",
        vec![issue],
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{REQUIRED_FIELDS, Verdict, read_answer};

    fn item(result: &str) -> Value {
        json!({
            "toolId": "t", "toolName": "n", "toolProvider": "p", "toolCategory": "c",
            "toolExecutionId": "e", "toolExecutionBatchId": "b", "toolMemoryId": "m",
            "approvalResult": result,
        })
    }

    #[test]
    fn a_complete_item_is_read() {
        let submitted = read_answer(&[item("DENIED")]).unwrap();
        assert_eq!(submitted[0].verdict, Verdict::Denied);
        assert_eq!(submitted[0].execution_id, "e");
        assert_eq!(submitted[0].batch_id, "b");
    }

    #[test]
    fn each_required_field_is_required() {
        for name in REQUIRED_FIELDS {
            for bad in [None, Some(json!(null)), Some(json!(7))] {
                let mut item = item("APPROVED");
                match bad.clone() {
                    Some(value) => item[name] = value,
                    None => drop(item.as_object_mut().unwrap().remove(name)),
                }
                let body = read_answer(&[item]).unwrap_err();
                let details = body.details;
                assert!(details.issues[0].error.contains(name), "{name} {bad:?}");
            }
        }
    }

    #[test]
    fn a_definition_is_accepted_unless_the_answer_says_otherwise() {
        let read = |accepts: Value| {
            let mut item = item("APPROVED");
            item["acceptDefinition"] = accepts;
            read_answer(&[item])
        };
        assert!(read_answer(&[item("APPROVED")]).unwrap()[0].accepts_definition);
        assert!(read(json!(true)).unwrap()[0].accepts_definition);
        assert!(!read(json!(false)).unwrap()[0].accepts_definition);
        for bad in [json!("false"), json!(null), json!(0)] {
            let details = read(bad).unwrap_err().details;
            assert!(details.issues[0].error.contains("acceptDefinition"));
        }
    }

    #[test]
    fn changed_arguments_are_an_object() {
        let read = |edited: Value| {
            let mut item = item("APPROVED");
            item["editedArguments"] = edited;
            read_answer(&[item])
        };
        assert_eq!(read_answer(&[item("APPROVED")]).unwrap()[0].edited, None);
        let edited = read(json!({ "a": "b" })).unwrap().remove(0).edited;
        assert_eq!(Value::from(edited.unwrap()), json!({ "a": "b" }));
        for bad in [json!(null), json!("{}"), json!([])] {
            let details = read(bad).unwrap_err().details;
            assert!(details.issues[0].error.contains("editedArguments"));
        }
    }

    #[test]
    fn values_that_are_no_decision_are_rejected_with_the_first_shape() {
        for value in ["PENDING_HUMAN_APPROVAL", "approved", "", "YES"] {
            let body = read_answer(&[item(value)]).unwrap_err();
            let details = body.details;
            assert_eq!(details.batch_id.as_str(), "b");
            assert_eq!(details.issues.len(), 1, "{value}");
            assert_eq!(details.issues[0].tool_execution_id.as_str(), "e");
        }
    }

    #[test]
    fn what_is_no_object_lacks_every_field() {
        let body = read_answer(&[json!("APPROVED")]).unwrap_err();
        assert_eq!(body.details.issues.len(), REQUIRED_FIELDS.len());
    }
}
