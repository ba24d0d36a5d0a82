//! How calls of a tool can be allowed beforehand (extension `grants`).

/// How calls of a tool can be allowed beforehand, as the service offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantOffer {
    /// For what: `thread`, `agent`, or both.
    pub scopes: Vec<String>,
    /// The longest time, in seconds; `None` for any.
    pub max_seconds: Option<u64>,
}

impl GrantOffer {
    /// Returns the offer of a request; `None` if it has no scope.
    pub(super) fn new(scopes: &[String], max_seconds: Option<u64>) -> Option<Box<Self>> {
        let scopes = scopes.to_vec();
        (!scopes.is_empty()).then(|| {
            Box::new(Self {
                scopes,
                max_seconds,
            })
        })
    }
}
