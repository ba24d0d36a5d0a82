//! Requests for approval as the service streams them.

/// The type of the event.
pub(crate) const TYPE: &str = "TOOL_EXECUTION_APPROVAL_REQUEST";

/// Returns a run of a tool. `arguments` is the inside of a JSON object.
pub(crate) fn tool_run(
    [id, name]: [&str; 2],
    [batch, execution]: [&str; 2],
    arguments: &str,
) -> String {
    format!(
        r#"{{"toolId":"{id}","toolName":"{name}","toolProvider":"Shop","toolCategory":"Payments","toolExecutionId":"{execution}","toolExecutionBatchId":"{batch}","toolMemoryId":"m-{execution}","toolArguments":{{{arguments}}},"approvalResult":"PENDING_HUMAN_APPROVAL"}}"#
    )
}

/// Returns the inside of the message that asks for these runs.
pub(crate) fn asking(runs: &[String]) -> String {
    let runs = runs.join(",");
    format!(r#""content":"","toolExecutionApprovalRequest":[{runs}]"#)
}
