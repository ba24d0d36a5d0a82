//! The system's counters of a process that is measured, and of those that it has started.

use std::fs;

/// Ticks of the processor's clock in a second, as Linux counts for programs.
const TICKS: f64 = 100.0;

/// A process, by its id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(pub(crate) u32);

/// Resident memory in MB.
pub(crate) struct Memory {
    pub(crate) now: f64,
    pub(crate) peak: f64,
}

impl Process {
    /// Returns the resident memory now and at most so far, in MB.
    pub(crate) fn memory(self) -> Memory {
        let text = self.read("status");
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let kilobytes =
                line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            kilobytes.unwrap_or(f64::NAN) / 1024.0
        };
        Memory {
            now: field("VmRSS:"),
            peak: field("VmHWM:"),
        }
    }

    /// Returns the seconds of processor time so far: user and system time are the 12th and 13th field
    /// after the name.
    pub(crate) fn processor(self) -> f64 {
        self.ticks(11, 2) / TICKS
    }

    fn read(self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.0)).unwrap_or_default()
    }

    /// Returns the number of entries of a folder of the process, such as that of its open files.
    pub(crate) fn count(self, folder: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{folder}", self.0)).map_or(0, Iterator::count)
    }

    /// Returns the process that has started it, or 0.
    pub(crate) fn parent(self) -> u32 {
        self.ticks(1, 1) as u32
    }

    /// Returns the sum of `count` fields of its line of counters after those that are `skipped`.
    fn ticks(self, skipped: usize, count: usize) -> f64 {
        let text = self.read("stat");
        // The name in brackets may hold spaces.
        let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks = fields.split_whitespace().skip(skipped).take(count);
        ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum()
    }
}
