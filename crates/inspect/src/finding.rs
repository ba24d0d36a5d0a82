//! What a person should look at before signing. The sentences are the business of who shows them.

/// How much a finding or a character matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It could deceive.
    Warning,
    /// Worth seeing; ordinary texts have it, too.
    Note,
}

/// One thing to look at. The order is the order in which they are worth saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// Characters that change the order in which text is drawn.
    Reordering,
    /// Characters that draw nothing.
    Invisible,
    /// Control characters other than tabs and line breaks.
    Control,
    /// Combining marks that are drawn over other text.
    Overdrawing,
    /// Letters of this script stand where those of another one would look the same; or digits, with a name that says
    /// so, such as `Arabic digits`.
    LookAlike(&'static str),
    /// The address runs as a program or carries its own content where it is opened: `javascript:`, `vbscript:`,
    /// `data:`, `blob:`.
    ActiveScheme,
    /// A user name or password stands in front of the host, as in `https://bank.example@elsewhere.example`.
    UserBeforeHost,
    /// The host is written in another way than the one that is opened.
    HostWrittenOtherwise,
    /// A part of the host has letters of one script only, and all look like letters of the Latin script.
    HostLooksLatin,
    /// A part of the host mixes scripts in a way that no language does.
    HostMixesScripts,
    /// A part of the host has a sign that is no letter and no digit, and that a path or a port may seem to begin with.
    HostHoldsSign,
    /// The host is an IP address.
    HostIsNumeric,
    /// It looks like an address, but no browser could open it.
    Unreadable,
    /// What stands before the address of an e-mail, or before its last `@`, holds an address itself, another one.
    AddressInName,
    /// The file name ends like a program behind the ending of a document, as in `invoice.pdf.exe`.
    DisguisedProgram,
    /// A part of the path ends with a dot or a space, which some systems drop.
    TrailingDotOrSpace,
    /// An object of the JSON names a member twice; who reads it decides which one counts.
    RepeatedMember,
    /// There is more than one e-mail address.
    SeveralAddresses,
    /// The path goes up with `..`.
    ParentFolder,
    /// The path leads into the home folder, with `~`.
    HomeFolder,
    /// A file or folder of the path is hidden: its name begins with a dot.
    HiddenFile,
    /// The address has a scheme other than `http`, `https`, `mailto` and `tel`.
    OtherScheme,
}

/// Findings in their order, each once.
#[derive(Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, finding: Finding) {
        let place = self.0.iter().position(|other| *other >= finding);
        let place = place.unwrap_or(self.0.len());
        if self.0.get(place) != Some(&finding) {
            self.0.insert(place, finding);
        }
    }
}

impl Finding {
    /// Notes are the findings that ordinary values have, too.
    #[must_use]
    pub fn weight(self) -> Weight {
        if self >= Self::SeveralAddresses {
            Weight::Note
        } else {
            Weight::Warning
        }
    }
}
