//! Findings: what is unusual or deceptive in an argument, for a person who decides about a call.
//! The sentences about them are in the renderer.

/// How much attention a finding or a hidden character needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The finding or the character could deceive.
    Warning,
    /// The finding or the character is worth seeing; ordinary texts have it, too.
    Note,
}

/// Something unusual or deceptive in an argument. Findings are shown in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// Characters that change the order in which text is drawn.
    Reordering,
    /// Characters that draw nothing, such as a zero width space.
    Invisible,
    /// Control characters other than tabs and line breaks.
    Control,
    /// Combining marks that are drawn over other text.
    Overdrawing,
    /// Letters of the script with this name that look like letters of another script; or digits,
    /// with a name such as `Arabic digits`.
    LookAlike(&'static str),
    /// An address that runs as a program or carries its own content when opened: `javascript:`,
    /// `vbscript:`, `data:`, `blob:`.
    ActiveScheme,
    /// A user name or password before the host, as in `https://bank.example@elsewhere.example`.
    UserBeforeHost,
    /// A host that is written differently from the one that is opened.
    HostWrittenOtherwise,
    /// A part of the host has letters of one script only, and all look like letters of the Latin
    /// script.
    HostLooksLatin,
    /// A part of the host mixes scripts in a way that no language does.
    HostMixesScripts,
    /// A part of the host has a sign that is no letter and no digit, and that may look like the
    /// start of a path or a port.
    HostHoldsSign,
    /// The host is an IP address.
    HostIsNumeric,
    /// A value that looks like an address, but that no browser could open.
    Unreadable,
    /// The text before the address of an e-mail, or before the last `@` of it, contains another
    /// address.
    AddressInName,
    /// A file name that ends like a program after the extension of a document, as in
    /// `invoice.pdf.exe`.
    DisguisedProgram,
    /// A part of the path ends with a dot or a space, which some systems drop.
    TrailingDotOrSpace,
    /// A JSON object that has a member twice; the parser decides which one counts.
    RepeatedMember,
    /// More than one e-mail address.
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

/// A list of findings, each once, in the order in which they are shown.
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
    /// Returns whether the finding is a warning, or a note, which is a finding that ordinary values
    /// have, too.
    #[must_use]
    pub fn severity(self) -> Severity {
        if self >= Self::SeveralAddresses {
            Severity::Note
        } else {
            Severity::Warning
        }
    }
}
