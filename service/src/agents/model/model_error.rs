//! Failures of a model.

/// A failure of a model, as a sentence for the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ModelError {
    /// No connection, for this reason, which is the operator's alone.
    #[error("The model could not be reached.")]
    Unreachable(String),
    /// The server answered with a status that is no success.
    #[error("The model's server refused the request ({status}): {message}")]
    Refused { status: u16, message: String },
    /// The server asks for patience.
    #[error("The model's server is busy ({status}). Try again in a moment.")]
    Busy { status: u16 },
    /// The stream reports a failure.
    #[error("The model failed: {0}")]
    Reported(String),
    /// The stream broke off.
    #[error("The connection to the model broke off.")]
    BrokenOff,
    /// Nothing came for too long.
    #[error("The model stopped answering.")]
    Stalled,
    /// The answer is longer than anything that is kept.
    #[error("The model's answer is too long.")]
    TooLong,
    /// The answer is not what was asked for.
    #[error("The model's answer could not be read.")]
    Unreadable,
}

impl ModelError {
    /// Returns the failure for an operator, whose log has the address beside it.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Unreachable(reason) => reason.clone(),
            // What OpenAI, Ollama, llama.cpp, vLLM and most others begin their addresses with.
            Self::Refused {
                status: status @ (404 | 405),
                message,
            } if !message.contains("model") => {
                format!("status {status}, {message} Does base_url lack /v1, or have too much?")
            }
            error => error.to_string(),
        }
    }

    /// Returns the kind of failure in one word, which quotes nobody.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Refused { .. } => "refused",
            Self::Busy { .. } => "busy",
            Self::Reported(_) => "reported",
            Self::BrokenOff => "broken_off",
            Self::Stalled => "stalled",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
        }
    }
}
