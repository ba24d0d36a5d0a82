//! The model of the demo's real agent, as environment variables name it. The key of the model is in
//! the environment alone.

use crate::error::Error;
use crate::workspace::MODEL_KEY_VARIABLE;

const URL_VARIABLE: &str = "ASSENT_MODEL_URL";
const NAME_VARIABLE: &str = "ASSENT_MODEL";

/// A model, and how the service reaches it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// The part of the provider's address before `/chat/completions`.
    pub(super) base_url: String,
    pub(super) name: String,
    pub(super) calls: CallMethod,
    /// True if the environment has a key for the model.
    pub(super) has_key: bool,
}

/// The way in which a model calls tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallMethod {
    /// The model calls tools by the tool calls of the provider's interface.
    Native,
    /// The model calls tools by texts of a given form, because it was not trained for tools.
    Schema,
}

impl Model {
    /// Returns the model that environment variables name; `None` if they name none. `variable`
    /// returns the value of the variable with a name.
    pub(super) fn named_by(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Model>, Error> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let (base_url, name) = (variable(URL_VARIABLE), variable(NAME_VARIABLE));
        let (base_url, name) = match (base_url, name) {
            (None, None) => return Ok(None),
            (Some(base_url), Some(name)) => (base_url, name),
            (None, Some(_)) => {
                return Err(missing_variable(
                    URL_VARIABLE,
                    "the address of the model's server",
                ));
            }
            (Some(_), None) => {
                return Err(missing_variable(
                    NAME_VARIABLE,
                    "the name of the model at its server",
                ));
            }
        };
        if !["http://", "https://"]
            .iter()
            .any(|scheme| base_url.starts_with(scheme))
        {
            return Err(Error::Wrong(format!(
                "{URL_VARIABLE} is the address before `/chat/completions`, such as http://127.0.0.1:11434/v1, not `{base_url}`"
            )));
        }
        Ok(Some(Model {
            base_url,
            name,
            calls: CallMethod::Native,
            has_key: variable(MODEL_KEY_VARIABLE).is_some(),
        }))
    }
}

fn missing_variable(name: &str, meaning: &str) -> Error {
    Error::Wrong(format!(
        "{name} is not set: it is {meaning}; without both {URL_VARIABLE} and {NAME_VARIABLE} the demo agent answers"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(variables: &[(&str, &str)]) -> Result<Option<Model>, Error> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Model::named_by(variable)
    }

    #[test]
    fn without_variables_there_is_no_model() {
        assert_eq!(find(&[]).unwrap(), None);
        assert_eq!(
            find(&[(URL_VARIABLE, ""), (NAME_VARIABLE, " ")]).unwrap(),
            None
        );
    }

    #[test]
    fn the_model_of_the_environment_is_taken_and_its_key_is_only_known_to_be_there() {
        let address = "https://models.example/v1";
        let with_key = [
            (URL_VARIABLE, address),
            (NAME_VARIABLE, "big"),
            (MODEL_KEY_VARIABLE, "canary"),
        ];
        let model = find(&with_key).unwrap().unwrap();
        assert_eq!((&*model.base_url, &*model.name), (address, "big"));
        assert!(model.has_key);
        assert!(!format!("{model:?}").contains("canary"));
        assert!(!find(&with_key[..2]).unwrap().unwrap().has_key);
    }

    #[test]
    fn half_of_a_model_is_named_with_the_half_that_is_missing() {
        for (variables, named) in [
            (
                [(URL_VARIABLE, "http://127.0.0.1:1/v1")],
                "ASSENT_MODEL is not set",
            ),
            ([(NAME_VARIABLE, "big")], "ASSENT_MODEL_URL is not set"),
        ] {
            let error = find(&variables).unwrap_err().to_string();
            assert!(error.starts_with(named), "{error}");
        }
        let error = find(&[(URL_VARIABLE, "127.0.0.1:11434"), (NAME_VARIABLE, "big")]).unwrap_err();
        assert!(error.to_string().contains("http://"), "{error}");
    }
}
