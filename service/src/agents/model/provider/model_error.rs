//! Failures of requests to a model: as the reader is told of them, and as the operator is.

/// A failure of a model, as a sentence for the reader. What the server says of it is the operator's
/// alone: it may name accounts, and parts of keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::agents::model) enum ModelError {
    /// There is no connection to the server, for this reason, which only the operator may see.
    #[error("The model could not be reached.")]
    Unreachable(String),
    /// The server answered with a status that is no success.
    #[error("{}", refusal(*status))]
    Refused { status: u16, message: String },
    /// The server says that it is busy, with this HTTP status.
    #[error("The model's server is busy ({status}). Try again in a moment.")]
    Busy { status: u16 },
    /// The stream reports a failure, in these words, which only the operator may see.
    #[error("The model failed. Try again in a moment.")]
    Reported(String),
    /// The stream broke off.
    #[error("The connection to the model broke off.")]
    BrokenOff,
    /// Nothing came from the server for too long.
    #[error("The model stopped answering.")]
    Stalled,
    /// The answer is longer than the service accepts.
    #[error("The model's answer is too long.")]
    TooLong,
    /// The answer cannot be read as the object that was asked for, or as a summary.
    #[error("The model's answer could not be read.")]
    Unreadable,
}

impl ModelError {
    /// Returns the text about the failure for the operator's log, which has the address beside it.
    pub(in crate::agents::model) fn reason(&self) -> String {
        match self {
            Self::Unreachable(reason) => reason.clone(),
            // What OpenAI, Ollama, llama.cpp, vLLM and most others begin their addresses with.
            Self::Refused {
                status: status @ (404 | 405),
                message,
            } if !message.contains("model") => {
                format!("status {status}, {message} Does base_url lack /v1, or have too much?")
            }
            Self::Refused { status, message } => format!("status {status}, {message}"),
            Self::Reported(message) => format!("it reports: {message}"),
            error => error.to_string(),
        }
    }

    /// Returns the kind of failure in one word, which quotes nobody.
    pub(in crate::agents::model) fn kind(&self) -> &'static str {
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

/// Returns the sentence for the reader about a request that the model's server refused with this
/// HTTP status.
fn refusal(status: u16) -> String {
    match status {
        401 | 403 => format!("The model's server does not let this service in ({status})."),
        404 => format!("The model's server does not know this model ({status})."),
        500.. => format!("The model's server has a problem ({status}). Try again in a moment."),
        _ => format!("The model's server refused the request ({status})."),
    }
}
