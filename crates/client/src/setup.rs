//! Faults of a set-up, as a page's developer reads them on the console. The person reads other words,
//! which name no address.

use assent_conversation::{Failure, FailureKind};

/// Returns what is likely wrong with the set-up if a first request fails with `failure`; `None` if
/// the failure does not tell. `base` is the service's address, `origin` that of the page.
pub(super) fn likely_setup_fault(failure: &Failure, base: &str, origin: &str) -> Option<String> {
    let status = failure.status.map(|status| status.to_string());
    Some(match (failure.kind, status, &failure.message) {
        (FailureKind::Blocked, ..) => [
            "it does not allow pages of ",
            origin,
            ". Start the service with --allow-origin ",
            origin,
        ]
        .concat(),
        (FailureKind::Redirected, ..) => {
            "it redirects. base-url has to name the address that it leads to.".to_owned()
        }
        (FailureKind::Unreachable, ..) => {
            ["there is no answer. base-url is taken for ", base].concat()
        }
        (_, Some(status), Some(message)) => ["status ", &status, ": ", message].concat(),
        (_, Some(status), None) => [
            "status ",
            &status,
            ", without a word of the service. Is it there? base-url is taken for ",
            base,
        ]
        .concat(),
        _ => return None,
    })
}
