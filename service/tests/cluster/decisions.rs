//! What a person decides: with what is allowed from then on, with changed arguments, at two devices at
//! once, and in time or not.

use futures_util::future::OptionFuture;
use serde_json::{Value, json};

use crate::{
    client::{Client, Told},
    common::{body, decided, requests},
    random::moment,
};

impl Client {
    /// Decides about a batch, now and then at two devices at once, which do not agree: one is accepted,
    /// and the batch is decided as that says.
    pub(super) async fn decide(&mut self, path: &str, asked: &[Value]) {
        let verdicts = ["APPROVED", "DENIED"];
        let chosen: Vec<usize> = asked.iter().map(|_| self.caller.below(2)).collect();
        let mine: Vec<&str> = chosen.iter().map(|at| verdicts[*at]).collect();
        let others: Vec<&str> = chosen.iter().map(|at| verdicts[1 - at]).collect();
        let decision = self.decision(asked, &mine);
        let contrary = body(&[decided(asked, &others)]);
        let key = self.key();
        let mut other = self.other.clone();
        let is_alone = self.caller.below(2) == 0;
        let contradicts = async {
            let response = other.post(path, &contrary, &key).await;
            response.status()
        };
        let rival = OptionFuture::from((!is_alone).then_some(contradicts));
        let post = body(std::slice::from_ref(&decision));
        let (told, rival) = tokio::join!(self.ask(path, &post), rival);
        let is_refused = [
            Some(told == Told::Refused),
            rival.map(|status| status == 400),
        ];
        let accepted = is_refused.iter().filter(|it| **it == Some(false));
        assert_eq!(accepted.count(), 1, "{is_refused:?}");
        self.summary.refused += usize::from(rival.is_some());
        let verdicts = if told == Told::Refused { others } else { mine };
        self.caller.until_ended(path).await;
        let items = decision["toolApprovalResult"].as_array().unwrap();
        for ((request, item), verdict) in asked.iter().zip(items).zip(verdicts) {
            let stored = self.stored(path, &request["toolExecutionId"]).await;
            assert_eq!(stored["status"], verdict, "{stored}");
            let edited = &item["editedArguments"];
            let edited = edited.is_object() && told != Told::Refused;
            let kept = &stored["editedArguments"];
            assert_eq!(kept.is_object(), edited, "{stored}");
            if edited {
                assert_eq!(kept["n"], item["editedArguments"]["n"].to_string());
                self.summary.edited += 1;
            }
            let granted = item["grant"].is_object() && told != Told::Refused;
            self.summary.granted += usize::from(granted);
        }
        self.summary.decisions += 1;
    }

    /// Returns the answer with these verdicts; most approvals are of changed arguments, or allow what
    /// comes, where the request lets them.
    fn decision(&mut self, asked: &[Value], verdicts: &[&str]) -> Value {
        let mut answer = decided(asked, verdicts);
        for (at, request) in asked.iter().enumerate() {
            if verdicts[at] != "APPROVED" || self.caller.below(4) == 0 {
                continue;
            }
            let item = &mut answer["toolApprovalResult"][at];
            if request["editable"].is_array() {
                item["editedArguments"] = json!({ "n": 100 + self.caller.below(100) });
            } else if request["grantScopes"].is_array() {
                item["grant"] = json!({ "scope": "thread", "when": {} });
            }
        }
        answer
    }

    /// Decides about a request that ends soon, or lets it end: exactly one of both holds. `asks` is the end
    /// of the answer that asked.
    pub(super) async fn decide_in_time(&mut self, path: &str, asks: Told) {
        let messages = self.caller.messages(path).await;
        let answer = messages.iter().rev().take_while(|it| it["role"] != "user");
        let mut asked = answer.filter_map(|it| it["toolExecutionHumanApprovalRequest"].as_array());
        let Some(id) = asked
            .next()
            .map(|asked| asked[0]["toolExecutionId"].clone())
        else {
            // The answer was interrupted before it asked.
            return;
        };
        let mut told = Told::Refused;
        if let Told::Ended(Some(end)) = asks
            && let Some(asked) = requests(&[*end]).first()
            && self.caller.below(2) == 0
        {
            let answer = decided(asked, &["APPROVED"]);
            told = self.ask(path, &body(&[answer])).await;
        }
        let stored = loop {
            let stored = self.stored(path, &id).await;
            if stored["status"] != "PENDING_HUMAN_APPROVAL" {
                break stored;
            }
            moment().await;
        };
        self.caller.until_ended(path).await;
        let outcome = (stored["status"].as_str(), stored["decidedBy"].as_str());
        if told == Told::Refused {
            assert_eq!(outcome, (Some("DENIED"), Some("timeout")), "{stored}");
            self.summary.ended += 1;
        } else {
            assert_eq!(stored["status"], "APPROVED", "{stored}");
            assert_ne!(stored["decidedBy"], "timeout", "{stored}");
            self.summary.in_time += 1;
        }
    }

    /// Returns the only stored request of this call.
    async fn stored(&mut self, path: &str, id: &Value) -> Value {
        let messages = self.caller.messages(path).await;
        let requests = messages
            .iter()
            .filter_map(|it| it["toolExecutionHumanApprovalRequest"].as_array());
        let of_call = requests.flatten().filter(|it| it["toolExecutionId"] == *id);
        let of_call: Vec<&Value> = of_call.collect();
        assert_eq!(of_call.len(), 1, "{messages:?}");
        of_call[0].clone()
    }
}
