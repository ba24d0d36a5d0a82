//! The models behind an agent: the main one, and those that stand in where it gives no answer.

use serde_json::Value;

use super::{endpoint::Endpoint, model_error::ModelError, reply::Reply};
use crate::{
    agents::model::request::wire::{Dialect, Request, RequestBody, body, conversation},
    settings::secret::Secret,
};

/// A model, and the ones that are asked instead of it.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct Model {
    /// The id of the agent, for the log.
    agent: String,
    main: Endpoint,
    fallback: Vec<Endpoint>,
}

impl Model {
    /// Makes a model of endpoints; the later ones are asked where an earlier one gives no answer.
    pub(in crate::agents::model) fn new(
        agent: &str,
        main: Endpoint,
        fallback: Vec<Endpoint>,
    ) -> Self {
        let all = [&main].into_iter().chain(&fallback);
        let secrets: Vec<Secret> = all.flat_map(Endpoint::secrets).cloned().collect();
        // A server may say the key of another one.
        let fallback = fallback.into_iter().map(|it| it.with_secrets(&secrets));
        Self {
            agent: agent.to_owned(),
            fallback: fallback.collect(),
            main: main.with_secrets(&secrets),
        }
    }

    /// Returns a model without a key at an address.
    #[cfg(test)]
    pub(in crate::agents::model) fn at(url: &str) -> Self {
        Self::new("desk", Endpoint::at(url), Vec::new())
    }

    /// Returns lines about each endpoint for an operator: its name and address, and its habits.
    pub(in crate::agents::model) fn describe(&self) -> Vec<String> {
        let fallback = self.fallback.iter().map(|endpoint| ("fallback", endpoint));
        let mut lines = Vec::new();
        for (kind, endpoint) in [("model", &self.main)].into_iter().chain(fallback) {
            lines.push(format!("{kind} {endpoint}"));
            let habits = endpoint.describe_habits();
            lines.extend(habits.iter().map(|habit| format!("  {habit}")));
        }
        lines
    }

    /// Returns true if the main model, or one that stands in for it, sees images.
    pub(in crate::agents::model) fn sees_images(&self) -> bool {
        let mut all = [&self.main].into_iter().chain(&self.fallback);
        all.any(|endpoint| endpoint.dialect().images)
    }

    /// Returns the main model's form of request.
    pub(in crate::agents::model) fn dialect(&self) -> &Dialect {
        self.main.dialect()
    }

    /// Returns the messages of a conversation, to which a question to the model can be added that
    /// is no part of it.
    pub(in crate::agents::model) fn conversation(&self, request: &Request<'_>) -> Vec<Value> {
        conversation(request, self.main.dialect().request_tokens)
    }

    /// Asks the model for the next answer of a conversation.
    ///
    /// # Errors
    ///
    /// Why the main model gave no answer, if no other one did.
    pub(in crate::agents::model) async fn answer(
        &self,
        request: &Request<'_>,
    ) -> Result<Reply, ModelError> {
        self.begin(&|dialect| body(request, dialect)).await
    }

    /// Asks one endpoint after the other, each with the body that `body` makes for it, until an
    /// answer begins.
    pub(in crate::agents::model) async fn begin(
        &self,
        body: &(dyn Fn(&Dialect) -> RequestBody + Sync),
    ) -> Result<Reply, ModelError> {
        let main = self.ask(&self.main, body).await;
        let Err(error) = main else {
            return main;
        };
        for endpoint in &self.fallback {
            if let Ok(reply) = self.ask(endpoint, body).await {
                return Ok(reply);
            }
        }
        Err(error)
    }

    async fn ask(
        &self,
        endpoint: &Endpoint,
        body: &(dyn Fn(&Dialect) -> RequestBody + Sync),
    ) -> Result<Reply, ModelError> {
        let begun = endpoint.begin(body).await;
        begun.inspect_err(|error| {
            tracing::warn!("agent {}: {endpoint}: {}", self.agent, error.reason());
        })
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "client_habits_tests.rs"]
mod habits_tests;
