//! Files with keys, which only those may read who run the service.

use std::{fs::File, io, path::Path};

/// Returns the text of a file with keys.
///
/// # Errors
///
/// What the system says; that everybody on this machine can read the file, where the system tells
/// (Unix). The group may: systemd and Kubernetes give files to it.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if is_open_to_all(&file)? {
        let sentence = "everybody on this machine can read the keys in it; run chmod 600 on it";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, sentence));
    }
    io::read_to_string(file)
}

#[cfg(unix)]
fn is_open_to_all(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;

    let metadata = file.metadata()?;
    // A pipe, as in `--api-key-file <(pass show key)`, is whoever's it is.
    Ok(metadata.is_file() && metadata.permissions().mode() & 0o004 != 0)
}

#[cfg(not(unix))]
fn is_open_to_all(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Writes a file that [`read`] takes.
#[cfg(test)]
pub(crate) fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{self, Permissions},
        os::unix::fs::PermissionsExt as _,
    };

    use super::read;

    #[test]
    fn a_file_of_keys_that_everybody_can_read_is_refused() {
        let path = std::env::temp_dir().join(format!("assent-keys-{}", uuid::Uuid::new_v4()));
        fs::write(&path, "canary\n").unwrap();
        let with = |mode| {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            read(&path)
        };
        let refused = [0o644, 0o604, 0o666].map(|mode| with(mode).unwrap_err().to_string());
        let taken = [0o600, 0o400, 0o640].map(|mode| with(mode).unwrap());
        fs::remove_file(&path).unwrap();
        assert!(refused.iter().all(|it| it.ends_with("chmod 600 on it")));
        assert_eq!(taken, ["canary\n"; 3]);
    }
}
