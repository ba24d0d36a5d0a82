//! The watcher of the tool server `counter`: it knows when a tool is called and done, and is where
//! the service is killed at exactly that moment.

use crate::{
    block_on,
    common::Folder,
    program::{Inner, Moment},
};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, Weak},
    thread,
};

/// Listens to the tool servers of one trial.
pub struct Watcher {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    /// The folder of the trial, which ends before the threads of the watcher do.
    folder: Weak<Folder>,
    program: Mutex<Option<Arc<Inner>>>,
    /// Calls that were done.
    done: Mutex<u32>,
}

impl Watcher {
    pub fn new(folder: &Arc<Folder>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            folder: Arc::downgrade(folder),
            program: Mutex::default(),
            done: Mutex::default(),
        });
        let watching = Arc::clone(&shared);
        // It ends with the process of the test.
        thread::spawn(move || {
            for tool in listener.incoming() {
                let (tool, watching) = (tool.unwrap(), Arc::clone(&watching));
                thread::spawn(move || watching.hear(tool));
            }
        });
        Self { address, shared }
    }

    /// Counts for this process from now on.
    pub fn watch(&self, program: Arc<Inner>) {
        *self.shared.program.lock().unwrap() = Some(program);
        *self.shared.done.lock().unwrap() = 0;
    }
}

impl Shared {
    /// Lets a tool go on, unless the service dies now.
    fn hear(&self, mut tool: TcpStream) {
        let mut line = String::new();
        let mut reader = BufReader::new(tool.try_clone().unwrap());
        reader.read_line(&mut line).unwrap_or_default();
        let program = self.program.lock().unwrap().clone().unwrap();
        let moment = match line.trim() {
            "listed" => Moment::Listed,
            "called" => Moment::Called,
            "done" => Moment::Done,
            // The tool server ended before it said anything.
            _ => return,
        };
        if program.pass(moment) {
            return;
        }
        let count = if moment == Moment::Done {
            let mut done = self.done.lock().unwrap();
            *done += 1;
            *done
        } else {
            0
        };
        if program.dies_at(Moment::Answered, count) {
            block_on(self.hold_the_database(tool, reader));
        } else {
            // The tool server may have ended with the service meanwhile.
            tool.write_all(b"go\n").ok();
        }
    }

    /// Keeps the service from storing the result until it is killed, with which the tool ends too.
    async fn hold_the_database(&self, mut tool: TcpStream, mut reader: BufReader<TcpStream>) {
        let mut database = self.folder.upgrade().unwrap().connect().await;
        database.lock().await;
        tool.write_all(b"go\n").ok();
        let program = self.program.lock().unwrap().clone().unwrap();
        program.wait();
        database.close().await;
        reader.read_to_end(&mut Vec::new()).ok();
    }
}
