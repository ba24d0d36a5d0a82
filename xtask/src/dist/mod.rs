//! `cargo xtask dist`: the folder that is uploaded to a static server. Loader and types keep their
//! names; glue and WebAssembly carry a hash of their content, so that both may be cached for ever.

mod imports;
mod languages;
mod loader;
mod manifest;
mod modules;
mod order;
mod package;
mod split;

use crate::assets::{self, Asset, FetchStage};
use crate::dependencies;
use crate::error::Error;
use crate::locales;
use crate::shrink;
use crate::tools;
use crate::web;
use crate::workspace::Workspace;
use base64::Engine as _;
use languages::LanguageFiles;
use loader::{mark_import, replace_name};
use sha2::{Digest as _, Sha256, Sha384};
use std::fs;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

/// Length of a script that bundlers leave in a file of its own. Vite puts what is below 4096 bytes into a
/// `data:` address, from which a Content-Security-Policy loads nothing. Blanks cost nothing compressed.
const MIN_SCRIPT_BYTES: usize = 4_096;

const LOADER: &str = "assent.js";
const TYPES: &str = "assent.d.ts";
/// The first line of the loader, a comment that Chromium reads: it compiles all functions while
/// they are downloaded, on another thread. Otherwise each is compiled at its first call, which
/// delays the message box.
const COMPILED_AHEAD: &str = "//# allFunctionsCalledOnLoad\n";
const NOTICE: &str = "NOTICE";
const SBOM: &str = "sbom.cdx.json";

/// What `dist/manifest.json` says of one file of `dist/`, and when a browser fetches the file.
#[derive(Debug)]
pub(crate) struct ManifestEntry {
    /// The path of the file relative to `dist/`.
    pub(crate) file: String,
    /// The length of the file in bytes.
    pub(crate) bytes: usize,
    /// The length of the file in bytes after brotli at quality 11.
    pub(crate) brotli: usize,
    /// The hash of the file as a page writes it into the attribute `integrity` of a script.
    pub(crate) integrity: String,
    /// When a browser fetches the file; `None` for the loader, which comes with the page, and for
    /// types.
    pub(crate) stage: Option<FetchStage>,
}

impl ManifestEntry {
    fn describe(
        file: &str,
        content: &[u8],
        stage: Option<FetchStage>,
    ) -> Result<ManifestEntry, Error> {
        let digest = base64::engine::general_purpose::STANDARD.encode(Sha384::digest(content));
        Ok(ManifestEntry {
            file: file.to_owned(),
            bytes: content.len(),
            brotli: brotli_length(content)?,
            integrity: format!("sha384-{digest}"),
            stage,
        })
    }

    /// Returns true for a file that a browser fetches before the user can type.
    pub(crate) fn is_fetched_early(&self) -> bool {
        self.is_loader() || self.stage == Some(FetchStage::Widget)
    }

    /// Returns true for a file that a browser fetches while the user can type already.
    pub(crate) fn is_late(&self) -> bool {
        self.stage == Some(FetchStage::After)
    }

    /// Returns true for a file that a browser fetches when an answer first needs it.
    pub(crate) fn is_on_demand(&self) -> bool {
        self.stage == Some(FetchStage::OnDemand)
    }

    /// Returns true for the texts of a language.
    pub(crate) fn is_language(&self) -> bool {
        self.stage == Some(FetchStage::Language)
    }

    /// Returns true for a file that a browser fetches with the page itself.
    pub(crate) fn is_loader(&self) -> bool {
        self.file == LOADER
    }
}

/// Builds `dist/` and prints what is in it.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    for entry in build(workspace)? {
        println!(
            "dist/{:<44} {:>9} bytes, {:>7} brotli",
            entry.file, entry.bytes, entry.brotli
        );
    }
    Ok(())
}

/// Builds `dist/` anew and returns the entries of its manifest.
pub(crate) fn build(workspace: &Workspace) -> Result<Vec<ManifestEntry>, Error> {
    tools::ensure_wasm_target(workspace)?;
    tools::ensure_rust_src(workspace)?;
    tools::ensure_wasm_bindgen(workspace)?;
    let stage = workspace.path("target/dist-stage");
    let assets = assets::read_assets(workspace)?;
    compile_assets(workspace, &assets, &stage)?;
    remove(workspace)?;
    let dist = workspace.path("dist");
    fs::create_dir_all(&dist).map_err(Error::of_file(&dist))?;
    let shorten = |file: &Path| shrink::minify_script(workspace, file);
    let all = locales::read_languages(workspace)?;
    let languages = LanguageFiles::new(&all);
    languages::write_english(&all, &dist)?;
    let built = Built {
        assets: &assets,
        languages: &languages,
        loader: &workspace.path("web/loader"),
        stage: &stage,
    };
    let entries = assemble_dist(&built, &dist, &shorten)?;
    manifest::write_manifest(workspace, &dist, &entries)?;
    // The licences of the bundled packages have to go where the bundles go.
    write(&dist.join(NOTICE), &read(&workspace.path(NOTICE))?)?;
    let sbom = dependencies::sbom_json(workspace)?;
    write(&dist.join(SBOM), sbom.as_bytes())?;
    package::write_package(workspace, &dist, &languages.hash)?;
    Ok(entries)
}

/// Removes the folder `dist/`, if it is there.
pub(crate) fn remove(workspace: &Workspace) -> Result<(), Error> {
    remove_folder(&workspace.path("dist"))
}

/// Returns true if `dist/` exists and its build was not interrupted.
pub(crate) fn is_there(workspace: &Workspace) -> bool {
    workspace.path("dist").join(package::LAST_FILE).exists()
}

fn compile_assets(workspace: &Workspace, assets: &[Asset], stage: &Path) -> Result<(), Error> {
    remove_folder(stage)?;
    web::install_packages(workspace)?;
    compile_modules(workspace, assets, stage)?;
    let loader = workspace.path("web/loader").join(LOADER);
    shrink::bundle_modules(workspace, &loader, &stage.join(LOADER))?;
    shrink::minify_embedded_css(workspace, &stage.join(LOADER))?;
    for asset in assets {
        if let Some(folder) = asset.folder() {
            web::bundle_asset(workspace, folder, &stage.join(asset.script()))?;
        }
    }
    Ok(())
}

/// Compiles the crates of the WebAssembly modules one after the other. Each module is made shorter
/// by Binaryen, which takes as long as compiling it, while the next one is compiled.
fn compile_modules(workspace: &Workspace, assets: &[Asset], stage: &Path) -> Result<(), Error> {
    thread::scope(|scope| {
        let mut shortened = Vec::new();
        for asset in assets {
            let Some(package) = asset.package() else {
                continue;
            };
            let parts = assets::parts(assets, asset);
            modules::compile_package(workspace, stage, &package, &parts)?;
            shortened.push(scope.spawn(move || {
                modules::shorten_parts(workspace, stage, &parts)?;
                modules::shorten_package(workspace, stage, &package)
            }));
        }
        shortened
            .into_iter()
            .try_for_each(|module| module.join().unwrap_or_else(|it| resume_unwind(it)))
    })
}

/// What `dist/` is made of.
struct Built<'built> {
    assets: &'built [Asset],
    languages: &'built LanguageFiles,
    /// The folder of the loader's source, with its types.
    loader: &'built Path,
    /// The folder of the built files.
    stage: &'built Path,
}

/// Copies what was built into the folder `dist`, and puts hashes of their content into the names of
/// assets. `shorten` minifies the loader, the one script that is not minified yet.
fn assemble_dist(
    built: &Built<'_>,
    dist: &Path,
    shorten: &dyn Fn(&Path) -> Result<(), Error>,
) -> Result<Vec<ManifestEntry>, Error> {
    let Built { assets, stage, .. } = *built;
    if stage.join("snippets").exists() {
        return Err(Error::Wrong(
            "a dependency brings its own JavaScript files (wasm-bindgen snippets), which dist/ has no place for"
                .into(),
        ));
    }
    let mut bundle = String::from_utf8_lossy(&read(&stage.join(LOADER))?).into_owned();
    let mut files = Vec::new();
    for asset in assets {
        let contents: Vec<Vec<u8>> = asset
            .files()
            .iter()
            .map(|plain| Ok(fill_up(plain, read(&stage.join(plain))?)))
            .collect::<Result<_, Error>>()?;
        // A module and its glue fit each other alone, and have one hash.
        let hash = content_hash(&contents.concat());
        for (plain, content) in asset.files().into_iter().zip(contents) {
            let hashed = hashed_name(&plain, &hash);
            bundle = replace_name(&bundle, &plain, &hashed)?;
            files.push((hashed, content, Some(asset.stage())));
        }
    }
    for (name, content) in &built.languages.files {
        files.push((name.clone(), content.clone(), Some(FetchStage::Language)));
    }
    bundle = built.languages.name_in(&bundle)?;
    write(&dist.join(LOADER), bundle.as_bytes())?;
    shorten(&dist.join(LOADER))?;
    let bundle = mark_import(&String::from_utf8_lossy(&read(&dist.join(LOADER))?))?;
    let bundle = [COMPILED_AHEAD, &bundle].concat();
    files.insert(0, (LOADER.to_owned(), bundle.into_bytes(), None));
    files.insert(
        1,
        (TYPES.to_owned(), read(&built.loader.join(TYPES))?, None),
    );
    let mut entries = Vec::new();
    for (name, content, stage) in files {
        write(&dist.join(&name), &content)?;
        entries.push(ManifestEntry::describe(&name, &content, stage)?);
    }
    Ok(entries)
}

/// Returns a script with blanks at its end if it is shorter than [`MIN_SCRIPT_BYTES`].
fn fill_up(name: &str, mut content: Vec<u8>) -> Vec<u8> {
    let length = content.len().max(MIN_SCRIPT_BYTES);
    if name.ends_with(".js") {
        content.resize(length, b' ');
    }
    content
}

fn hashed_name(plain: &str, hash: &str) -> String {
    let (stem, extension) = plain.split_once('.').unwrap_or((plain, ""));
    format!("{stem}-{hash}.{extension}")
}

/// Returns the hash for the names of files with this content: 8 hexadecimal digits. They are in the
/// loader, which caches do not keep long, and so they are few.
fn content_hash(content: &[u8]) -> String {
    Sha256::digest(content)
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns the length in bytes of a file after brotli at quality 11.
pub(crate) fn brotli_length(content: &[u8]) -> Result<usize, Error> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)
        .map_err(|error| Error::Wrong(format!("brotli failed: {error}")))?;
    Ok(compressed.len())
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::of_file(path))
}

fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    fs::write(path, content).map_err(Error::of_file(path))
}

fn remove_folder(path: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::of_file(path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> String {
        format!("new URL(\"./{name}\", import.meta.url)")
    }

    #[test]
    fn the_loader_names_the_hashed_files_and_the_manifest_describes_them() {
        let folder = workspace_folder("dist-names");
        let assets = assets::read_assets(&Workspace::locate().unwrap()).unwrap();
        let fetched: Vec<String> = assets.iter().flat_map(Asset::files).collect();
        let places: Vec<String> = fetched.iter().map(|name| place(name)).collect();
        let language = "new URL(`./locales/${tag}.json`, import.meta.url)";
        let loader = format!("import(url);\n{language};\n{}", places.join(";\n"));
        fs::write(folder.join(LOADER), loader).unwrap();
        fs::write(folder.join(TYPES), "export {};\n").unwrap();
        for name in &fetched {
            fs::write(folder.join(name), format!("the content of {name}")).unwrap();
        }
        let dist = folder.join("out");
        fs::create_dir_all(dist.join("locales")).unwrap();
        let languages = LanguageFiles {
            hash: "0123abcd".into(),
            files: vec![("locales/fr-0123abcd.json".into(), b"{}".to_vec())],
        };
        let built = Built {
            assets: &assets,
            languages: &languages,
            loader: &folder,
            stage: &folder,
        };
        let entries = assemble_dist(&built, &dist, &|_| Ok(())).unwrap();
        let loader = fs::read_to_string(dist.join(LOADER)).unwrap();
        let names: Vec<&str> = entries.iter().map(|entry| entry.file.as_str()).collect();
        assert_eq!(names[..2], [LOADER, TYPES]);
        let marked = loader.strip_prefix(COMPILED_AHEAD).unwrap();
        assert!(marked.starts_with("import(/*webpackIgnore:true*//*@vite-ignore*/url)"));
        for (plain, name) in fetched.iter().zip(&names[2..]) {
            let (stem, extension) = plain.split_once('.').unwrap();
            assert!(name.starts_with(&format!("{stem}-")) && name.ends_with(extension));
            assert!(loader.contains(&place(name)), "{loader}");
            let content = fs::read_to_string(dist.join(name)).unwrap();
            assert_eq!(content.trim_end(), format!("the content of {plain}"));
            let is_long = content.len() >= MIN_SCRIPT_BYTES;
            assert_eq!(is_long, extension == "js", "bundlers leave it in its file");
        }
        assert_eq!(entries.iter().filter(|entry| entry.is_loader()).count(), 1);
        assert_eq!(
            entries
                .iter()
                .filter(|entry| entry.is_fetched_early())
                .count(),
            3
        );
        assert_eq!(entries.iter().filter(|entry| entry.is_late()).count(), 4);
        assert_eq!(
            entries.iter().filter(|entry| entry.is_on_demand()).count(),
            6
        );
        let texts = entries.iter().find(|entry| entry.is_language()).unwrap();
        assert_eq!((&*texts.file, texts.bytes), ("locales/fr-0123abcd.json", 2));
        assert!(
            loader.contains("`./locales/${tag}-0123abcd.json`"),
            "{loader}"
        );
    }

    #[test]
    fn the_integrity_value_is_the_one_browsers_compute() {
        // Computed with `printf abc | openssl dgst -sha384 -binary | base64`.
        let expected = "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn";
        assert_eq!(
            ManifestEntry::describe("abc", b"abc", None)
                .unwrap()
                .integrity,
            expected
        );
    }

    fn workspace_folder(name: &str) -> std::path::PathBuf {
        let folder = Workspace::locate()
            .unwrap()
            .path("target/xtask-tests")
            .join(name);
        remove_folder(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        folder
    }
}
