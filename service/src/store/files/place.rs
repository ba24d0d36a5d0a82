//! The address of the place where the files of users are, as an operator gives it.

use std::{fmt, path::PathBuf};

use reqwest::Url;

#[cfg(feature = "s3")]
use super::bucket::Bucket;

/// The place where the files of users are.
#[derive(Clone, Debug)]
pub enum FilePlace {
    /// A folder; it is made with the first file.
    Folder(PathBuf),
    /// A bucket of S3, or of a service with its interface.
    #[cfg(feature = "s3")]
    Bucket(Bucket),
}

impl From<PathBuf> for FilePlace {
    fn from(path: PathBuf) -> Self {
        Self::Folder(path)
    }
}

impl fmt::Display for FilePlace {
    /// Writes the address, which has no key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(formatter),
            #[cfg(feature = "s3")]
            Self::Bucket(bucket) => bucket.fmt(formatter),
        }
    }
}

impl FilePlace {
    /// Reads a path, `file:///FOLDER` or `s3://BUCKET/PREFIX`. Keys, region and endpoint of a bucket
    /// are the variables of `environment` that begin with `AWS_`.
    ///
    /// # Errors
    ///
    /// A sentence about what is wrong, without what was typed: it may hold a key.
    pub fn parse(
        address: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, String> {
        match address.split_once("://") {
            None if address.is_empty() => Err("it names no folder.".to_owned()),
            None => Ok(Self::Folder(address.into())),
            Some(("file", _)) => {
                let url = Url::parse(address).ok();
                let path = url.and_then(|url| url.to_file_path().ok());
                path.map(Self::Folder)
                    .ok_or_else(|| "a folder's address is file:///PATH.".to_owned())
            }
            Some(("s3", rest)) => Self::bucket(rest, environment),
            Some(_) => Err("give a folder, file:///FOLDER or s3://BUCKET/PREFIX.".to_owned()),
        }
    }

    #[cfg(feature = "s3")]
    fn bucket(
        address: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, String> {
        Bucket::parse(address, environment).map(Self::Bucket)
    }

    #[cfg(not(feature = "s3"))]
    fn bucket(_: &str, _: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        Err("this program was built without buckets: build it with --features s3.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::FilePlace;

    fn parsed(address: &str, environment: &[(&str, &str)]) -> Result<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        FilePlace::parse(address, environment.iter().map(owned)).map(|place| place.to_string())
    }

    #[test]
    fn folders_are_paths_or_addresses_of_files() {
        for (address, folder) in [
            ("a/b", "a/b"),
            ("/srv/files", "/srv/files"),
            ("file:///srv/files", "/srv/files"),
            ("file:///srv/my%20files", "/srv/my files"),
        ] {
            assert_eq!(parsed(address, &[]).as_deref(), Ok(folder));
        }
        for address in [
            "",
            "file://host/a",
            "file://a",
            "gs://bucket",
            "https://a/b",
        ] {
            assert!(parsed(address, &[]).is_err(), "{address}");
        }
    }

    #[cfg(not(feature = "s3"))]
    #[test]
    fn a_program_without_buckets_says_so() {
        let error = parsed("s3://bucket", &[]).unwrap_err();
        assert!(error.contains("--features s3"), "{error}");
    }

    #[cfg(feature = "s3")]
    #[test]
    fn a_bucket_has_a_name_and_no_key_in_its_address() {
        let shown = parsed("s3://assent-files/of/users/", &[]);
        assert_eq!(shown.as_deref(), Ok("s3://assent-files/of/users"));
        for address in [
            "s3://",
            "s3:///prefix",
            "s3://KEY:canary@bucket/prefix",
            "s3://bucket?secret=canary",
            "s3://bucket/a//b",
        ] {
            let error = parsed(address, &[]).unwrap_err();
            assert!(!error.contains("canary"), "{error}");
        }
    }

    #[cfg(feature = "s3")]
    #[test]
    fn files_go_over_tls_but_to_this_machine() {
        let to = |endpoint| parsed("s3://b", &[("AWS_ENDPOINT", endpoint)]);
        for endpoint in [
            "https://minio.example",
            "http://127.0.0.1:9000",
            "http://[::1]:9000",
        ] {
            assert!(to(endpoint).is_ok(), "{endpoint}");
        }
        for endpoint in [
            "http://minio.example",
            "ftp://minio.example",
            "minio.example",
            "x",
        ] {
            let error = to(endpoint).unwrap_err();
            assert!(error.starts_with("AWS_ENDPOINT "), "{error}");
        }
        let own = [
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ENDPOINT_URL", "http://minio:9000"),
        ];
        assert!(parsed("s3://b", &own).is_ok());
    }

    #[cfg(feature = "s3")]
    #[test]
    fn a_place_does_not_show_its_keys() {
        let environment = [("AWS_SECRET_ACCESS_KEY".to_owned(), "canary".to_owned())];
        let place = FilePlace::parse("s3://b", environment).unwrap();
        assert!(!format!("{place:?} {place}").contains("canary"));
    }
}
