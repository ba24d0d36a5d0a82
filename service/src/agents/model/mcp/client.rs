//! The client's side of a connection: what a server may tell it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rmcp::{
    ClientHandler, RoleClient,
    handler::client::progress::ProgressDispatcher,
    model::{
        ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam,
        ProtocolVersion,
    },
    service::NotificationContext,
};
use serde_json::Value;

use super::log::LogMessages;
use crate::settings::secret::Secret;

/// The client's side of a connection. It offers nothing: a server may only be asked.
#[derive(Clone, Debug)]
pub(super) struct Client {
    config: ClientConfig,
    /// Passes the server's reports of progress on to the calls that wait for them.
    pub(super) progress: ProgressDispatcher,
    /// True if the server said that its tools have changed since they were listed.
    pub(super) tools_changed: Arc<AtomicBool>,
    messages: Arc<LogMessages>,
}

impl Client {
    pub(super) fn new(server: &str, secrets: &[Secret]) -> Self {
        let name = Implementation::new("assent-service", env!("CARGO_PKG_VERSION"));
        Self {
            config: ClientConfig::new(ClientCapabilities::default(), name),
            progress: ProgressDispatcher::new(),
            tools_changed: Arc::default(),
            messages: Arc::new(LogMessages::new(server, secrets)),
        }
    }

    /// Returns the client with the newest version of the protocol that begins with the request
    /// `initialize`, for servers that know no later one.
    pub(super) fn with_older_protocol(mut self) -> Self {
        self.config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        self
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.handle_notification(progress).await;
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.store(true, Ordering::Release);
    }

    #[expect(deprecated, reason = "servers of the older protocols send them")]
    async fn on_logging_message(
        &self,
        message: rmcp::model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        match &message.data {
            Value::String(text) => self.messages.log(text),
            data => self.messages.log(&data.to_string()),
        }
    }
}
