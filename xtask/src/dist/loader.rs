//! Changes to the bundled loader: names with hashes, and a comment for bundlers.

use crate::error::Error;

/// Returns the loader's code with the name `plain` of a file replaced by `hashed`, its name with a
/// hash, in the one place where it fetches the file. Bundlers need that place spelled as here.
pub(super) fn replace_name(loader: &str, plain: &str, hashed: &str) -> Result<String, Error> {
    let place = |name: &str| format!("new URL(\"./{name}\", import.meta.url)");
    replace_once(loader, &place(plain), &place(hashed))
}

/// Returns the loader's code with `plain`, which has to stand in one place of it, replaced.
pub(super) fn replace_once(loader: &str, plain: &str, hashed: &str) -> Result<String, Error> {
    if loader.matches(plain).count() != 1 {
        return Err(Error::Wrong(format!("the loader must hold {plain} once")));
    }
    Ok(loader.replacen(plain, hashed, 1))
}

/// Returns the loader's code with a comment in its `import()` that keeps bundlers from changing it,
/// because the address is known only in the page. Minifying had removed the comment.
pub(super) fn mark_import(loader: &str) -> Result<String, Error> {
    const IMPORT: &str = "import(";
    if loader.matches(IMPORT).count() != 1 {
        return Err(Error::Wrong("the loader must import in one place".into()));
    }
    Ok(loader.replacen(IMPORT, "import(/*webpackIgnore:true*//*@vite-ignore*/", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loader_that_does_not_ask_for_a_file_once_in_the_words_of_bundlers_is_refused() {
        let words = "new URL(\"./assent_widget.js\", import.meta.url)";
        for loader in [
            "new URL(NAME, import.meta.url), \"./assent_widget.js\"".to_owned(),
            format!("{words}, {words}"),
        ] {
            let error = replace_name(&loader, "assent_widget.js", "x").unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn a_loader_that_imports_in_two_places_is_refused() {
        assert!(mark_import("import(a); import(b);").is_err());
    }
}
