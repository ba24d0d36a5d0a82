//! Finds an [Ollama](https://ollama.com), a server of models, on this machine, and which of its
//! models an agent can use.

use super::model::{CallMethod, Model};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// The address where Ollama listens unless it is configured otherwise.
pub(super) const USUAL_ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 11434);

/// Timeout for the connection to Ollama, and for each part of its response.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of bytes that are read of a response of Ollama; its descriptions of models are
/// long.
const MAX_RESPONSE_BYTES: u64 = 16 * 1024 * 1024;

/// Returns the first model of the Ollama at `address` that was trained for tools, or otherwise the
/// first one that writes texts; `None` if there is none, or nothing listens there.
pub(super) fn first_model(address: SocketAddr) -> Option<Model> {
    let listed = request_json(address, "GET", "/api/tags", "")?;
    let models = listed.get("models")?.as_array()?;
    let mut usable = models.iter().filter_map(|model| {
        let name = model.get("name")?.as_str()?;
        let shown = request_json(
            address,
            "POST",
            "/api/show",
            &json!({ "model": name }).to_string(),
        )?;
        Some((name.to_owned(), call_method(shown.get("capabilities")?)?))
    });
    let first = usable.next()?;
    let (name, calls) = match first.1 {
        CallMethod::Native => first,
        CallMethod::Schema => usable
            .find(|(_, calls)| *calls == CallMethod::Native)
            .unwrap_or(first),
    };
    Some(Model {
        base_url: format!("http://{address}/v1"),
        name,
        calls,
        has_key: false,
    })
}

/// Returns how a model with these capabilities, a JSON list, calls tools; `None` if the model
/// writes no texts.
fn call_method(capabilities: &Value) -> Option<CallMethod> {
    let has = |wanted: &str| capabilities.as_array()?.iter().find(|it| *it == wanted);
    match (has("completion"), has("tools")) {
        (None, _) => None,
        (Some(_), Some(_)) => Some(CallMethod::Native),
        (Some(_), None) => Some(CallMethod::Schema),
    }
}

/// Sends a request to the Ollama at `address` and returns the JSON of its response; `None` if the
/// status is not 200, or anything fails.
fn request_json(address: SocketAddr, method: &str, path: &str, body: &str) -> Option<Value> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT).ok()?;
    stream.set_read_timeout(Some(TIMEOUT)).ok()?;
    // Version 1.0: the answer is one piece, and the end of the connection is its end.
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream
        .take(MAX_RESPONSE_BYTES)
        .read_to_string(&mut answer)
        .ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let is_fine = head.split(' ').nth(1) == Some("200");
    is_fine.then(|| serde_json::from_str(body).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufRead as _;
    use std::net::TcpListener;

    /// Starts an Ollama with these models and their capabilities.
    fn ollama(models: &'static [(&str, &[&str])]) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), models);
            }
        });
        address
    }

    fn answer(mut stream: TcpStream, models: &[(&str, &[&str])]) {
        let mut reader = std::io::BufReader::new(stream.try_clone().unwrap());
        let (mut first, mut line, mut length) = (String::new(), String::new(), 0);
        reader.read_line(&mut first).unwrap();
        while reader.read_line(&mut line).unwrap() > 2 {
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let listed: Vec<Value> = models
            .iter()
            .map(|(name, _)| json!({ "name": name }))
            .collect();
        let answer = if first.starts_with("GET /api/tags ") {
            json!({ "models": listed })
        } else {
            assert!(first.starts_with("POST /api/show "), "{first}");
            let asked: Value = serde_json::from_slice(&body).unwrap();
            let found = models.iter().find(|(name, _)| asked["model"] == *name);
            json!({ "capabilities": found.unwrap().1 })
        };
        let head = "HTTP/1.0 200 OK\r\nContent-Type: application/json";
        write!(stream, "{head}\r\n\r\n{answer}").unwrap();
    }

    fn chosen(models: &'static [(&str, &[&str])]) -> Option<(String, CallMethod)> {
        first_model(ollama(models)).map(|model| (model.name, model.calls))
    }

    #[test]
    fn the_first_model_with_tools_is_taken() {
        let found = chosen(&[
            ("embed", &["embedding"]),
            ("plain", &["completion"]),
            ("tools:8b", &["completion", "tools"]),
            ("later", &["completion", "tools"]),
        ]);
        assert_eq!(found, Some(("tools:8b".to_owned(), CallMethod::Native)));
    }

    #[test]
    fn a_model_without_tools_answers_by_a_form() {
        let found = chosen(&[("embed", &["embedding"]), ("plain", &["completion"])]);
        assert_eq!(found, Some(("plain".to_owned(), CallMethod::Schema)));
    }

    #[test]
    fn without_a_model_that_writes_there_is_none() {
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[("embed", &["embedding"])]), None);
    }

    #[test]
    fn its_address_is_that_of_the_interface() {
        let address = ollama(&[("a", &["completion", "tools"])]);
        let model = first_model(address).unwrap();
        assert_eq!(model.base_url, format!("http://{address}/v1"));
    }

    #[test]
    fn somebody_else_at_its_port_is_no_ollama() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let thread = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"SSH-2.0-OpenSSH\r\n").unwrap();
            // It ends when the other side does.
            stream.read_to_end(&mut Vec::new()).ok();
        });
        assert_eq!(first_model(address), None);
        thread.join().unwrap();
    }
}
