//! The list of the scripts and WebAssembly modules that the loader fetches, the assets, read from
//! its registry `web/loader/assets.js`.

use crate::error::Error;
use crate::workspace::Workspace;
use std::fs;

const REGISTRY: &str = "web/loader/assets.js";

/// When a browser fetches an asset, as the first words of `@fetched` in the registry say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchStage {
    /// The file is fetched before the user can type.
    Widget,
    /// The file is fetched while the user can type already; in the registry, "after …".
    After,
    /// The file is fetched when an answer first needs it; in the registry, "on demand: …".
    OnDemand,
    /// The file has the texts of a language, and is fetched for the attribute `locale`.
    Language,
}

/// What an asset of the loader's registry consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AssetKind {
    /// The asset is a script that is bundled from a folder of `web/`.
    Script,
    /// The asset is the WebAssembly module of a crate, with its glue, the script by which
    /// JavaScript uses it.
    Module,
    /// The asset is a WebAssembly module that is cut out of the widget, whose glue links it; in the
    /// registry it is `part(…)`.
    Part,
}

/// One asset of the loader's registry: a script or a WebAssembly module that a browser fetches.
#[derive(Debug)]
pub(crate) struct Asset {
    /// The name of the asset: that of its files after `assent_`.
    name: String,
    kind: AssetKind,
    fetched: String,
    without: String,
}

impl Asset {
    /// Returns the name of the asset's script, which is the glue of its WebAssembly module if it
    /// has one.
    pub(crate) fn script(&self) -> String {
        format!("assent_{}.js", self.name)
    }

    fn wasm(&self) -> String {
        format!("assent_{}_bg.wasm", self.name)
    }

    /// Returns the names of the asset's files.
    pub(crate) fn files(&self) -> Vec<String> {
        match self.kind {
            AssetKind::Script => vec![self.script()],
            AssetKind::Module => vec![self.script(), self.wasm()],
            AssetKind::Part => vec![self.wasm()],
        }
    }

    /// Returns the crate of the asset's WebAssembly module; `None` if it is no module of a crate.
    pub(crate) fn package(&self) -> Option<String> {
        (self.kind == AssetKind::Module).then(|| format!("assent_{}", self.name))
    }

    /// Returns the folder of `web/` that the asset's script is bundled from; `None` if it is no
    /// such script.
    pub(crate) fn folder(&self) -> Option<&str> {
        (self.kind == AssetKind::Script).then_some(self.name.as_str())
    }

    fn is_widget(&self) -> bool {
        self.name == "widget"
    }

    pub(crate) fn stage(&self) -> FetchStage {
        match self.fetched.split_whitespace().next() {
            Some("after") => FetchStage::After,
            Some("on") => FetchStage::OnDemand,
            _ => FetchStage::Widget,
        }
    }
}

/// A module that is cut out of the widget.
#[derive(Debug)]
pub(crate) struct Part {
    /// The name that `#[wasm_split]` gives it, which is that of the asset.
    pub(crate) name: String,
    /// The name of its file.
    pub(crate) file: String,
}

/// Returns the modules that are cut out of the module `asset`: none, but of the widget.
pub(crate) fn parts(assets: &[Asset], asset: &Asset) -> Vec<Part> {
    let is_part = |it: &&Asset| it.kind == AssetKind::Part && asset.is_widget();
    let part = |it: &Asset| Part {
        name: it.name.clone(),
        file: it.wasm(),
    };
    assets.iter().filter(is_part).map(part).collect()
}

/// Reads the assets of the registry, in its order.
pub(crate) fn read_assets(workspace: &Workspace) -> Result<Vec<Asset>, Error> {
    let path = workspace.path(REGISTRY);
    parse_registry(&fs::read_to_string(&path).map_err(Error::of_file(&path))?)
}

/// Returns what a line of the registry declares: an asset's name, its kind, and the text with its
/// files; `None` for a line that declares none.
fn parse_row(line: &str) -> Option<(&str, AssetKind, &str)> {
    if let Some((name, files)) = line.split_once(": part(") {
        return Some((name, AssetKind::Part, files));
    }
    let (name, files) = line.split_once(": lazy(")?;
    let kind = match files.contains(".wasm") {
        true => AssetKind::Module,
        false => AssetKind::Script,
    };
    Some((name, kind, files))
}

fn parse_registry(registry: &str) -> Result<Vec<Asset>, Error> {
    let mut assets = Vec::new();
    let [mut fetched, mut without] = [String::new(), String::new()];
    for line in registry.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("* @fetched ") {
            text.clone_into(&mut fetched);
        } else if let Some(text) = line.strip_prefix("* @without ") {
            text.clone_into(&mut without);
        } else if let Some((name, kind, files)) = parse_row(line) {
            let asset = Asset {
                name: name.to_owned(),
                kind,
                fetched: std::mem::take(&mut fetched),
                without: std::mem::take(&mut without),
            };
            let named: Vec<&str> = files.split("\"./").skip(1).collect();
            let is_named = |(file, named): (&String, &&str)| named.starts_with(file.as_str());
            let expected = asset.files();
            if expected.len() != named.len() || !expected.iter().zip(&named).all(is_named) {
                let message = format!("{REGISTRY}: {name} must be of the files {expected:?}");
                return Err(Error::Wrong(message));
            }
            if asset.fetched.is_empty() || asset.without.is_empty() {
                let message = format!("{REGISTRY}: {name} needs @fetched and @without");
                return Err(Error::Wrong(message));
            }
            assets.push(asset);
        }
    }
    Ok(assets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ROW: &str = r#"
  /**
   * @fetched on demand: the first diagram
   * @without diagrams stay code
   */
  mermaid: lazy(new URL("./assent_mermaid.js", import.meta.url)),"#;

    #[test]
    fn a_row_says_what_is_built_and_when_it_is_fetched() {
        let [asset] = parse_registry(ROW).unwrap().try_into().unwrap();
        assert_eq!(asset.files(), ["assent_mermaid.js"]);
        assert_eq!(asset.folder(), Some("mermaid"));
        assert_eq!(
            (asset.package(), asset.stage()),
            (None, FetchStage::OnDemand)
        );
        assert_eq!(asset.without, "diagrams stay code");
        let wasm = ROW.replace(
            "meta.url)",
            r#"meta.url), new URL("./assent_mermaid_bg.wasm", import.meta.url)"#,
        );
        let [asset] = parse_registry(&wasm).unwrap().try_into().unwrap();
        assert_eq!(asset.package().as_deref(), Some("assent_mermaid"));
        assert_eq!(asset.files().len(), 2);
    }

    #[test]
    fn a_part_is_cut_out_of_the_widget() {
        let named = |name: &str| ROW.replace("mermaid", name);
        let part = named("card")
            .replace("lazy(", "part(")
            .replace(".js\"", "_bg.wasm\"");
        let [widget, part] = parse_registry(&[named("widget"), part].concat())
            .unwrap()
            .try_into()
            .unwrap();
        assert_eq!(part.files(), ["assent_card_bg.wasm"]);
        assert_eq!((part.package(), part.folder()), (None, None));
        let assets = [widget, part];
        let [card] = &*parts(&assets, &assets[0]) else {
            panic!("one part");
        };
        assert_eq!([&*card.name, &*card.file], ["card", "assent_card_bg.wasm"]);
        assert!(parts(&assets, &assets[1]).is_empty());
    }

    #[test]
    fn a_row_with_another_file_or_without_a_sentence_is_refused() {
        for row in [
            ROW.replace("./assent_mermaid.js", "./mermaid.js"),
            ROW.replace("@without ", ""),
        ] {
            assert!(parse_registry(&row).is_err(), "{row}");
        }
    }

    /// Returns the files that a document names with a hash.
    fn named(document: &str) -> BTreeSet<String> {
        let quoted = document
            .split('`')
            .filter(|it| it.contains("-….") && it.starts_with("assent_"));
        quoted.map(|file| file.replace("-…", "")).collect()
    }

    #[test]
    fn documents_and_the_demo_page_know_every_asset() {
        let workspace = Workspace::locate().unwrap();
        let text = |path: &str| fs::read_to_string(workspace.path(path)).unwrap();
        let assets = read_assets(&workspace).unwrap();
        let files: BTreeSet<String> = assets.iter().flat_map(Asset::files).collect();
        for document in ["docs/EMBEDDING.md", "docs/SIZES.md"] {
            assert_eq!(named(&text(document)), files, "{document}");
        }
        let architecture = text("ARCHITECTURE.md");
        let [page, trunk] = ["index.html", "Trunk.toml"].map(text);
        for asset in &assets {
            let begin = format!("| `assent_{}`", asset.name);
            let end = format!("| {} | {} |", asset.fetched, asset.without);
            let is_row = |line: &str| line.starts_with(&begin) && line.ends_with(&end);
            assert!(architecture.lines().any(is_row), "{begin} … {end}");
            match asset.kind {
                AssetKind::Module if asset.is_widget() => {
                    assert!(page.contains("href=\"Cargo.toml\""));
                }
                AssetKind::Module => {
                    assert!(page.contains(&format!("href=\"crates/{}/", asset.name)));
                }
                AssetKind::Script => assert!(trunk.contains(&format!("\"web/{}\"", asset.name))),
                // Trunk builds the widget as a whole.
                AssetKind::Part => {}
            }
        }
    }
}
