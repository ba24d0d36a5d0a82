//! The rules for npm packages: each that is declared is used, each licence is allowed, each comes
//! from a registry, and what is bundled into `dist/` is no development dependency, so that `NOTICE`
//! has its licence.

use super::code::{has_word, is_named, read_sources};
use super::licence::choose_licences;
use crate::error::Error;
use crate::workspace::Workspace;
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// The name of this project's own npm package, which is made of `dist/` and which the examples
/// install.
pub(super) const OWN_PACKAGE: &str = "assent-chat";
/// The folder whose JavaScript is bundled into `dist/`.
const BUNDLED_FOLDER: &str = "web";
/// Packages that may have a licence which is not allowed otherwise, each with that licence. They
/// are used in the examples, the demo, tests and the build of the site, and nothing of them is shipped.
const LICENCE_EXCEPTIONS: [(&str, &str); 13] = [
    ("argparse", "PSF-2.0"),
    ("argparse", "Python-2.0"),
    ("caniuse-lite", "CC-BY-4.0"),
    ("@modelcontextprotocol/server-everything", LICENCE_IN_FILE),
    ("@modelcontextprotocol/server-filesystem", LICENCE_IN_FILE),
    ("@modelcontextprotocol/server-memory", LICENCE_IN_FILE),
    ("glob", "BlueOak-1.0.0"),
    ("htmx.org", "0BSD"),
    ("idiomorph", "0BSD"),
    ("lru-cache", "BlueOak-1.0.0"),
    ("minimatch", "BlueOak-1.0.0"),
    ("minipass", "BlueOak-1.0.0"),
    ("path-scurry", "BlueOak-1.0.0"),
];
/// What the field `license` says of a package that has its own text of a licence. The texts of the
/// packages above say MIT for older parts, and Apache-2.0 for newer ones.
const LICENCE_IN_FILE: &str = "SEE LICENSE IN LICENSE";

/// The entries of a lock file, one for each package, by the package's path in the folder.
type Packages = Map<String, Value>;

/// Checks the npm packages of these folders by all rules; returns a sentence for each rule that one
/// breaks.
pub(super) fn check(workspace: &Workspace, folders: &[&str]) -> Result<Vec<String>, Error> {
    let allowed = allowed_licences(&read(&workspace.path("deny.toml"))?)?;
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let mut wrong = Vec::new();
    for folder in folders {
        let packages = read_packages(workspace, folder)?;
        // Programs of packages are run by xtask, too.
        let named = read_sources(workspace, &[folder, "xtask/src"], |_| true)?;
        let mut found = refused_packages(&packages, &allowed);
        found.extend(packages_from_elsewhere(&packages));
        for path in packages.keys().filter(|path| !is_installed(path)) {
            let manifest = read_json(&workspace.path(folder).join(path).join("package.json"))?;
            found.extend(unused_dependencies(&manifest, &packages, &named));
        }
        if *folder == BUNDLED_FOLDER {
            let shipped = read_sources(workspace, &[folder], |path| !path.contains("/test/"))?;
            found.extend(bundled_for_development(&packages, &shipped));
        }
        wrong.extend(found.iter().map(|found| format!("{folder}: {found}")));
    }
    Ok(wrong)
}

/// Returns the names of the packages that are bundled into `dist/`, each with its entry in the lock
/// file.
pub(super) fn bundled_packages(workspace: &Workspace) -> Result<Vec<(String, Value)>, Error> {
    let packages = read_packages(workspace, BUNDLED_FOLDER)?.into_iter();
    let shipped = packages.filter(|(path, package)| is_installed(path) && package["dev"] != true);
    Ok(shipped
        .map(|(path, package)| (package_name(&path).to_owned(), package))
        .collect())
}

/// Returns the version of an npm package that builds `dist/`, by the lock file.
pub(crate) fn locked_version(workspace: &Workspace, name: &str) -> Result<String, Error> {
    let packages = read_packages(workspace, BUNDLED_FOLDER)?;
    let package = packages.get(&format!("node_modules/{name}"));
    let version = package.and_then(|package| package["version"].as_str());
    version.map(str::to_owned).ok_or_else(|| {
        Error::Wrong(format!(
            "{BUNDLED_FOLDER}: `{name}` is not in the lock file"
        ))
    })
}

/// Returns the licences that `deny.toml` allows.
fn allowed_licences(deny: &str) -> Result<Vec<String>, Error> {
    let table: toml::Table = deny
        .parse()
        .map_err(|error| Error::Wrong(format!("deny.toml: {error}")))?;
    let list = table.get("licenses").and_then(|table| table.get("allow"));
    let list = list.and_then(toml::Value::as_array).into_iter().flatten();
    Ok(list
        .filter_map(|id| Some(id.as_str()?.to_owned()))
        .collect())
}

/// Returns the entries of a lock file for packages that others wrote.
fn packages_of_others(packages: &Packages) -> impl Iterator<Item = (&String, &Value)> {
    packages.iter().filter(|(path, package)| {
        is_installed(path) && package["link"] != true && package_name(path) != OWN_PACKAGE
    })
}

/// Returns a sentence for each package of others that has none of the `allowed` licences and is no
/// exception.
fn refused_packages(packages: &Packages, allowed: &[&str]) -> Vec<String> {
    packages_of_others(packages)
        .filter_map(|(path, package)| match package["license"].as_str() {
            None => Some(format!("`{}` names no licence", package_name(path))),
            Some(licence) if choose_licences(licence, allowed).is_some() => None,
            Some(licence) if LICENCE_EXCEPTIONS.contains(&(package_name(path), licence)) => None,
            Some(licence) => Some(format!(
                "`{}` has the licence {licence}",
                package_name(path)
            )),
        })
        .collect()
}

/// Returns a sentence for each package that comes from git, an address or a folder, and for each
/// without a hash of its content. By `.npmrc`, the lock files have no address for packages of a
/// registry.
fn packages_from_elsewhere(packages: &Packages) -> Vec<String> {
    let elsewhere = packages_of_others(packages)
        .filter(|(_, package)| !package["resolved"].is_null() || package["integrity"].is_null());
    elsewhere
        .map(|(path, _)| format!("`{}` does not come from a registry", package_name(path)))
        .collect()
}

/// Returns a sentence for each dependency of a manifest that is not used: no code in `sources`
/// names it, no script runs it, and no other dependency needs it as a peer.
fn unused_dependencies(manifest: &Value, packages: &Packages, sources: &str) -> Vec<String> {
    let package = |name: &str| {
        let package = packages.get(&format!("node_modules/{name}"));
        package.unwrap_or(&Value::Null)
    };
    let mut direct = keys(&manifest["dependencies"]);
    direct.extend(keys(&manifest["devDependencies"]));
    let scripts = manifest["scripts"].to_string();
    let is_used = |name: &str| {
        let subject = name.strip_prefix("@types/").unwrap_or(name);
        let is_run = |program: &&str| {
            has_word(&scripts, program) || sources.contains(&format!("\"{program}\""))
        };
        let wants = |other: &&str| keys(&package(other)["peerDependencies"]).contains(&name);
        is_named(sources, subject)
            || keys(&package(name)["bin"]).iter().any(is_run)
            || direct.iter().any(wants)
    };
    let unused = direct.iter().filter(|name| !is_used(name));
    unused.map(|name| format!("`{name}` is not used")).collect()
}

/// Returns a sentence for each package that the JavaScript of `dist/` imports, although the
/// manifest declares it for development alone.
fn bundled_for_development(packages: &Packages, shipped: &str) -> Vec<String> {
    let is_imported = |path: &str| has_word(shipped, &format!("from \"{}", package_name(path)));
    let development = packages
        .iter()
        .filter(|(_, package)| package["dev"] == true);
    development
        .filter(|(path, _)| is_installed(path) && is_imported(path))
        .map(|(path, _)| {
            format!(
                "`{}` is bundled: it has to be in `dependencies`",
                package_name(path)
            )
        })
        .collect()
}

fn keys(table: &Value) -> Vec<&str> {
    let names = table.as_object().into_iter().flat_map(Map::keys);
    names.map(String::as_str).collect()
}

fn is_installed(path: &str) -> bool {
    path.starts_with("node_modules/")
}

/// Returns the name of the package with this path in the lock file.
fn package_name(path: &str) -> &str {
    path.rsplit_once("node_modules/")
        .map_or(path, |(_, name)| name)
}

fn read_packages(workspace: &Workspace, folder: &str) -> Result<Packages, Error> {
    let lock = read_json(&workspace.path(folder).join("package-lock.json"))?;
    let packages = lock.get("packages").and_then(Value::as_object);
    Ok(packages.cloned().unwrap_or_default())
}

fn read_json(path: &Path) -> Result<Value, Error> {
    serde_json::from_str(&read(path)?)
        .map_err(|error| Error::Wrong(format!("{}: {error}", path.display())))
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::of_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn packages(of: &Value) -> Packages {
        of.as_object().unwrap().clone()
    }

    #[test]
    fn what_nothing_names_is_not_used() {
        let manifest = json!({
            "scripts": { "build": "tool-run --fast" },
            "dependencies": {
                "imported": "1", "unused": "1", "imported-too": "1", "import": "1", "worded": "1",
                "given": "1", "found": "1",
            },
            "devDependencies": {
                "tool": "1", "peer": "1", "@types/imported": "1", "@types/unused": "1",
                "tested": "1",
            },
        });
        let installed = packages(&json!({
            "node_modules/tool": { "bin": { "tool-run": "x" }, "peerDependencies": { "peer": "*" } },
        }));
        let sources = "import a from \"imported/part\";\nconst b = [\"worded\"];\n\
            resolve(\"given\"); open(\"../node_modules/found/a.js\");";
        let names = [
            "import",
            "imported-too",
            "unused",
            "worded",
            "@types/unused",
            "tested",
        ];
        assert_eq!(
            unused_dependencies(&manifest, &installed, sources),
            names.map(|name| format!("`{name}` is not used"))
        );
    }

    #[test]
    fn a_licence_has_to_be_named_and_allowed() {
        let installed = packages(&json!({
            "": { "name": "own" },
            "examples": { "name": "own, too" },
            "node_modules/fine": { "license": "MIT OR GPL-3.0" },
            "node_modules/fine/node_modules/@a/strict": { "license": "GPL-3.0" },
            "node_modules/silent": {},
        }));
        assert_eq!(
            refused_packages(&installed, &["MIT"]),
            [
                "`@a/strict` has the licence GPL-3.0",
                "`silent` names no licence"
            ]
        );
    }

    #[test]
    fn an_exception_is_for_one_package_and_one_licence() {
        let installed = packages(&json!({
            "node_modules/glob": { "license": "BlueOak-1.0.0" },
            "node_modules/minimatch": { "license": "GPL-3.0" },
            "node_modules/other": { "license": "BlueOak-1.0.0" },
        }));
        assert_eq!(
            refused_packages(&installed, &["MIT"]),
            [
                "`minimatch` has the licence GPL-3.0",
                "`other` has the licence BlueOak-1.0.0"
            ]
        );
    }

    #[test]
    fn a_package_comes_from_a_registry_and_has_a_hash() {
        let installed = packages(&json!({
            "": { "name": "own" },
            "node_modules/assent-chat": { "resolved": "file:../target/assent-chat.tgz" },
            "node_modules/hashed": { "integrity": "sha512-1" },
            "node_modules/linked": { "resolved": "linked", "link": true },
            "node_modules/of-a-page": { "resolved": "https://a.example/a.tgz", "integrity": "1" },
            "node_modules/of-git": { "resolved": "git+ssh://git@a.example/a.git#1" },
            "node_modules/unhashed": {},
        }));
        assert_eq!(
            packages_from_elsewhere(&installed),
            [
                "`of-a-page` does not come from a registry",
                "`of-git` does not come from a registry",
                "`unhashed` does not come from a registry"
            ]
        );
    }

    #[test]
    fn the_allowed_licences_are_those_of_deny_toml() {
        let deny = "[licenses]\nallow = [\"MIT\", \"ISC\"]\n[bans]\nallow = [\"GPL-3.0\"]\n";
        assert_eq!(allowed_licences(deny).unwrap(), ["MIT", "ISC"]);
        assert!(allowed_licences("[licenses").is_err());
    }

    /// Every rule is asked in every folder: what each of them finds is named with its folder.
    #[test]
    fn a_folder_is_held_against_every_rule() {
        let root = Workspace::locate().unwrap();
        let root = root.path("target/xtask-tests/npm-rules");
        fs::remove_dir_all(&root).ok();
        let manifest = json!({
            "dependencies": { "fine": "1", "silent": "1", "fetched": "1", "unused": "1" },
            "devDependencies": { "bundled": "1", "commented": "1", "tested": "1" },
        });
        let imports = "import \"fine\";\nimport \"silent\";\nimport \"fetched\";\n";
        let bundled = "import a from \"bundled\";\n";
        let locked = json!({ "packages": {
            "": {},
            "node_modules/bundled": { "dev": true, "integrity": "1", "license": "MIT" },
            "node_modules/commented": { "dev": true, "integrity": "1", "license": "MIT" },
            "node_modules/fetched": { "resolved": "git:a", "integrity": "1", "license": "MIT" },
            "node_modules/fine": { "integrity": "1", "license": "MIT" },
            "node_modules/silent": { "integrity": "1" },
            "node_modules/tested": { "dev": true, "integrity": "1", "license": "MIT" },
            "node_modules/unused": { "integrity": "1", "license": "MIT" },
        }});
        let test = "import a from \"tested\";\n// import a from \"commented\";\n";
        for folder in ["web", "e2e"] {
            for (file, text) in [
                ("package.json", manifest.to_string()),
                ("package-lock.json", locked.to_string()),
                ("page.js", format!("{imports}{bundled}")),
                ("test/page.test.js", test.to_owned()),
                ("README.md", "import a from \"commented\";\n".to_owned()),
            ] {
                let file = root.join(folder).join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
        }
        // What the rules list themselves.
        let rules = root.join("xtask/src/dependencies");
        fs::create_dir_all(&rules).unwrap();
        fs::write(rules.join("npm.rs"), "[(\"commented\", \"ISC\")]").unwrap();
        fs::write(root.join("deny.toml"), "[licenses]\nallow = [\"MIT\"]\n").unwrap();
        let workspace = Workspace::at(root);
        crate::process::standard_output(workspace.command("git").args(["init", "-q"])).unwrap();
        let found = [
            "`silent` names no licence",
            "`fetched` does not come from a registry",
            "`unused` is not used",
            "`commented` is not used",
        ];
        let everywhere = ["web", "e2e"].map(|folder| found.map(|it| format!("{folder}: {it}")));
        let mut wanted = everywhere.concat();
        wanted.insert(
            4,
            "web: `bundled` is bundled: it has to be in `dependencies`".to_owned(),
        );
        assert_eq!(check(&workspace, &["web", "e2e"]).unwrap(), wanted);
        let shipped = bundled_names(&workspace);
        assert_eq!(shipped, ["fetched", "fine", "silent", "unused"]);
    }

    fn bundled_names(workspace: &Workspace) -> Vec<String> {
        let shipped = super::bundled_packages(workspace).unwrap().into_iter();
        shipped.map(|(name, _)| name).collect()
    }

    #[test]
    fn what_is_shipped_imports_no_development_dependency() {
        let installed = packages(&json!({
            "node_modules/tested": { "dev": true },
            "node_modules/bundled": { "dev": true },
            "node_modules/declared": {},
        }));
        let shipped = "import a from \"bundled/part\";\nimport b from \"declared\";";
        assert_eq!(
            bundled_for_development(&installed, shipped),
            ["`bundled` is bundled: it has to be in `dependencies`"]
        );
    }
}
