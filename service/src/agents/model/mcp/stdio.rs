//! The standard input and output of a server, a message on each line. A line that is no message is
//! left out: the transport of `rmcp` answers it, and a server that logs each answer on its standard
//! output would go on with that for ever.

use std::{io, mem};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader, Empty, empty};

use super::log::StrayOutput;

/// Longest line that a program may write, in bytes; a message over HTTP has the same bound.
const MAX_LINE: usize = 16 * 1024 * 1024;

/// The bytes with which some programs of Windows begin their output, and which are skipped.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The connection to a tool server that is a program, over its standard input and output.
pub(super) struct Stdio<R, W: AsyncWrite> {
    output: BufReader<R>,
    /// The line that is being read, so that a reader that is interrupted goes on with it.
    line: Vec<u8>,
    is_too_long: bool,
    noise: StrayOutput,
    /// The transport of `rmcp`, which is used for writing alone.
    input: AsyncRwTransport<RoleClient, Empty, W>,
}

impl<R, W> Stdio<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(output: R, input: W, noise: StrayOutput) -> Self {
        Self {
            output: BufReader::new(output),
            line: Vec::new(),
            is_too_long: false,
            noise,
            input: AsyncRwTransport::new_client(empty(), input),
        }
    }

    /// Reads the next line that is not too long; `None` at the end of the output.
    async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let bytes = self.output.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(bytes.len(), |end| end + 1);
            if !self.is_too_long {
                self.line.extend(bytes.iter().take(length));
            }
            self.output.consume(length);
            if self.line.len() > MAX_LINE {
                self.noise.note(&mem::take(&mut self.line));
                self.is_too_long = true;
            }
            if end.is_some() {
                let line = mem::take(&mut self.line);
                if !mem::take(&mut self.is_too_long) {
                    return Ok(Some(line));
                }
            }
        }
    }
}

impl<R, W> Transport<RoleClient> for Stdio<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.input.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = match self.line().await {
                Ok(line) => line?,
                Err(error) => {
                    tracing::debug!(%error, "a tool server cannot be read any more");
                    return None;
                }
            };
            let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            match serde_json::from_slice(text) {
                Ok(message) => return Some(message),
                Err(_) => self.noise.note(text),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.input.close().await
    }
}

#[cfg(test)]
mod tests {
    use rmcp::transport::Transport as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::{MAX_LINE, Stdio};
    use crate::agents::model::mcp::log::StrayOutput;

    #[tokio::test]
    async fn lines_that_are_no_messages_are_left_out_and_answered_by_nobody() {
        let (mut server, output) = duplex(64 * 1024);
        let (input, mut heard) = duplex(64 * 1024);
        let mut stdio = Stdio::new(output, input, StrayOutput::new("crm", &[]));
        let writing = tokio::spawn(async move {
            for line in [
                "Server is running on stdio",
                "{\"level\":30,\"msg\":\"ready\"}",
                "{\"jsonrpc\":\"2.0\",\"level\":\"info\"}",
                "[]",
                "null",
                "",
                "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":1}}\r",
            ] {
                server.write_all(line.as_bytes()).await.unwrap();
                server.write_all(b"\n").await.unwrap();
            }
            let part = vec![b'x'; 1024 * 1024];
            for _ in 0..=MAX_LINE / 1024 / 1024 {
                server.write_all(&part).await.unwrap();
            }
            let last = b"\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"n\":2}}\n";
            server.write_all(last).await.unwrap();
        });
        for n in [1, 2] {
            let message = serde_json::to_value(stdio.receive().await.unwrap()).unwrap();
            assert_eq!(message["result"]["n"], n);
        }
        assert!(stdio.receive().await.is_none());
        writing.await.unwrap();
        drop(stdio);
        let mut answers = String::new();
        heard.read_to_string(&mut answers).await.unwrap();
        assert_eq!(answers, "");
    }
}
