//! A call of a colleague that a person corrects: the colleague's own policy says what may be changed.

use serde_json::json;

use crate::{
    common::{body, decided, messages_of, model::says, requests},
    desk::{Desk, Setup},
    rows::{AUTO, COLLEAGUES, NOTES, ROUTE, add, kind, tasks},
};

const EDITABLE: &str = "[policy]\ntrust_read_only = [\"notes\"]\n\
    [[policy.rule]]\ntool = \"notes/add\"\ndo = \"ask\"\neditable = [\"/text\"]\n\
    [[policy.rule]]\ntool = \"notes/add\"\ndo = \"deny\"\n\
    when = { \"/text\" = { glob = \"*secret*\" } }\nwhy = \"No secrets.\"\n";

#[tokio::test]
async fn a_call_of_a_colleague_runs_as_a_person_changed_it_where_its_own_policy_lets_it() {
    let desk = Desk::new(&Setup {
        // The agent that asks would let every tool run, and every change.
        tables: [ROUTE, COLLEAGUES, NOTES, AUTO].concat(),
        replies: vec![kind("collaboration"), tasks(&["billing"])],
        billing_tables: [NOTES, EDITABLE].concat(),
        billing: vec![add("milk"), says("Noted.")],
        ..Setup::default()
    })
    .await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "note milk").await).remove(0);
    assert_eq!(asked[0]["editable"], json!(["/text"]));
    let correct = async |text: &str| {
        let mut item = decided(&asked, &["APPROVED"]);
        item["toolApprovalResult"][0]["editedArguments"] = json!({ "text": text });
        desk.service
            .post(&messages_of(&thread), &body(&[item]))
            .await
    };
    let refused = correct("a secret").await;
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("No secrets."), "{}", refused.text);
    assert_eq!(desk.notes(), "");
    let taken = correct("oat milk").await;
    assert_eq!(taken.status, 200, "{}", taken.text);
    assert_eq!(desk.notes(), "oat milk\n");
    let stored = desk.service.messages(&thread).await;
    let requests = stored
        .iter()
        .filter_map(|it| it["toolExecutionHumanApprovalRequest"].as_array());
    let kept = requests.flatten().next().unwrap();
    assert_eq!(kept["editedArguments"], json!({ "text": "oat milk" }));
}
