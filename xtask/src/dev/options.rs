//! The options of `cargo xtask dev`.

use crate::cluster;
use crate::error::Error;

/// What a person asks for; what is `None` is chosen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// The port of the demo page.
    pub(super) port: Option<u16>,
    /// The number of replicas of the service, on a PostgreSQL that goes with them. Without it there
    /// is one service on a SQLite file, which stays.
    pub(super) replicas: Option<usize>,
}

impl Options {
    /// Reads the words of the command line after `dev`.
    pub(crate) fn parse(mut words: &[&str]) -> Result<Options, Error> {
        let mut options = Options::default();
        loop {
            words = match words {
                [] => return Ok(options),
                ["--port", value, rest @ ..] => {
                    let port = value.parse();
                    options.port =
                        Some(port.map_err(|_| {
                            Error::Usage(format!("`{value}` is not a port number"))
                        })?);
                    rest
                }
                ["--replicas", value, rest @ ..] => {
                    options.replicas = Some(cluster::replica_count(value)?);
                    rest
                }
                other => {
                    return Err(Error::Usage(format!(
                        "`cargo xtask dev` takes --port N and --replicas N, not `{}`",
                        other.join(" ")
                    )));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_and_replicas_can_be_chosen() {
        let chosen = |words: &[&str]| {
            let options = Options::parse(words).unwrap();
            (options.port, options.replicas)
        };
        assert_eq!(chosen(&[]), (None, None));
        assert_eq!(chosen(&["--port", "9000"]), (Some(9000), None));
        assert_eq!(chosen(&["--replicas", "3"]), (None, Some(3)));
        let both = ["--replicas", "1", "--port", "9000"];
        assert_eq!(chosen(&both), (Some(9000), Some(1)));
    }

    #[test]
    fn wrong_options_are_named() {
        for (words, named) in [
            (vec!["--prot", "1"], "`--prot 1`"),
            (vec!["--port", "http"], "`http`"),
            (vec!["--port"], "`--port`"),
            (vec!["--replicas"], "`--replicas`"),
            (
                vec!["--replicas", "three"],
                "`three` is no number of replicas",
            ),
            (vec!["--port", "9000", "--replicas", "0"], "it is 1 to 9"),
        ] {
            let error = Options::parse(&words).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
