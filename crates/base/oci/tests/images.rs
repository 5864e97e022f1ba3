//! Images made, written and read again; and layouts that lie.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tacho_oci::{
    Arch, Base, Image, ImagePath, Layer, Node, OciError, Platform, Process, SourceDate, Tree,
    layout,
};
use tempfile::TempDir;

fn platform() -> Platform {
    Platform(Arch::Amd64)
}

fn layer(role: &str, files: &[(&str, &str)], folder: &Path) -> Layer {
    let mut tree = Tree::default();
    for (path, text) in files {
        tree.put_text(path, text).unwrap();
    }
    Layer::write(role, &tree, SourceDate::default(), folder).unwrap()
}

fn process() -> Process {
    Process {
        command: vec!["/app/service".to_owned()],
        environment: BTreeMap::from([("PORT".to_owned(), "8080".to_owned())]),
        user: "65532".to_owned(),
        ports: vec![8080],
        labels: BTreeMap::from([("org.example.a".to_owned(), "1".to_owned())]),
        ..Process::default()
    }
}

fn written(image: &Image) -> Vec<u8> {
    let mut tar = Vec::new();
    layout::write(image, Some("localhost:5000/app:1"), &mut tar).unwrap();
    tar
}

/// The files of a layout, by name.
fn unpacked(tar: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(tar);
    let mut files = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        files.insert(name, bytes);
    }
    files
}

fn blob(files: &BTreeMap<String, Vec<u8>>, digest: &Value) -> Value {
    let hex = digest.as_str().unwrap().replace(':', "/");
    serde_json::from_slice(&files[&format!("blobs/{hex}")]).unwrap()
}

/// A layout as a folder, which tests may change.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn of(tar: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        tar::Archive::new(tar).unpack(folder.path()).unwrap();
        Self { folder }
    }

    fn read(&self) -> Result<Base, OciError> {
        let scratch = TempDir::new().unwrap();
        Base::read(self.folder.path(), &platform(), scratch.path())
    }

    fn refuses(&self, said: &str) {
        let error = self.read().unwrap_err().to_string();
        assert!(error.contains(said), "{said}: {error}");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let path = self.path(name);
        let mut value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut value);
        fs::write(&path, serde_json::to_vec(&value).unwrap()).unwrap();
    }
}

#[test]
fn an_image_says_what_is_in_it_and_how_it_runs() {
    let lab = TempDir::new().unwrap();
    let layers = vec![
        layer("dependencies", &[("/app/lib/a.jar", "a")], lab.path()),
        layer("application", &[("/app/b.jar", "b")], lab.path()),
    ];
    let image = Image::of(platform(), None, layers.clone(), &process()).unwrap();
    let files = unpacked(&written(&image));
    let index: Value = serde_json::from_slice(&files["index.json"]).unwrap();
    let entry = &index["manifests"][0];
    assert_eq!(entry["digest"], image.digest().to_string());
    assert_eq!(
        entry["platform"],
        json!({"architecture": "amd64", "os": "linux"})
    );
    let annotations = &entry["annotations"];
    assert_eq!(
        annotations["io.containerd.image.name"],
        "localhost:5000/app:1"
    );
    assert_eq!(annotations["org.opencontainers.image.ref.name"], "1");
    let manifest = blob(&files, &entry["digest"]);
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 2);
    let configuration = blob(&files, &manifest["config"]["digest"]);
    assert_eq!(
        configuration,
        json!({
            "architecture": "amd64",
            "os": "linux",
            "config": {
                "User": "65532",
                "Env": ["PORT=8080"],
                "Entrypoint": ["/app/service"],
                "ExposedPorts": {"8080/tcp": {}},
                "Labels": {"org.example.a": "1"},
                "WorkingDir": "/",
            },
            "rootfs": {
                "type": "layers",
                "diff_ids": [layers[0].diff_id.to_string(), layers[1].diff_id.to_string()],
            },
            "history": [
                {"created_by": "tacho image: dependencies"},
                {"created_by": "tacho image: application"},
            ],
        })
    );
    let mark: Value = serde_json::from_slice(&files["oci-layout"]).unwrap();
    assert_eq!(mark, json!({"imageLayoutVersion": "1.0.0"}));
    assert_eq!(
        image.compressed_bytes(),
        image.blobs().map(|blob| blob.bytes).sum::<u64>()
    );
}

#[test]
fn what_is_built_upon_a_base_has_its_layers_and_settings() {
    let lab = TempDir::new().unwrap();
    let below = layer("root", &[("/etc/os-release", "ID=x")], lab.path());
    let set = Process {
        environment: [("PATH", "/bin"), ("PORT", "1")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        directory: Some("/srv".to_owned()),
        ports: vec![22],
        labels: BTreeMap::from([("org.example.base".to_owned(), "0".to_owned())]),
        ..process()
    };
    let base = Image::of(platform(), None, vec![below.clone()], &set).unwrap();
    let tar = lab.path().join("base.tar");
    fs::write(&tar, written(&base)).unwrap();
    // From a tar and from a folder.
    let scratch = TempDir::new().unwrap();
    let read = Base::read(&tar, &platform(), scratch.path()).unwrap();
    assert_eq!(read.digest, *base.digest());
    let of_a_folder = Lab::of(&written(&base)).read().unwrap();
    assert_eq!(of_a_folder.digest, read.digest);

    let own = layer("application", &[("/app/b.jar", "b")], lab.path());
    let image = Image::of(platform(), Some(&read), vec![own.clone()], &process()).unwrap();
    assert_eq!(image.layers.len(), 2);
    assert_eq!(image.layers[0].diff_id, below.diff_id);
    assert_eq!(image.layers[0].unpacked_bytes, below.unpacked_bytes);
    let files = unpacked(&written(&image));
    let index: Value = serde_json::from_slice(&files["index.json"]).unwrap();
    let manifest = blob(&files, &index["manifests"][0]["digest"]);
    let configuration = blob(&files, &manifest["config"]["digest"]);
    let config = &configuration["config"];
    assert_eq!(config["Env"], json!(["PATH=/bin", "PORT=8080"]));
    assert_eq!(
        config["ExposedPorts"],
        json!({"22/tcp": {}, "8080/tcp": {}})
    );
    assert_eq!(config["WorkingDir"], "/srv");
    assert_eq!(
        config["Labels"],
        json!({"org.example.a": "1", "org.example.base": "0"})
    );
    assert_eq!(configuration["history"].as_array().unwrap().len(), 2);
}

#[test]
fn a_layout_that_lies_is_refused() {
    let folder = TempDir::new().unwrap();
    let only = layer("root", &[("/etc/os-release", "ID=x")], folder.path());
    let image = Image::of(platform(), None, vec![only.clone()], &process()).unwrap();
    let tar = written(&image);
    let place =
        |digest: &tacho_oci::Digest| format!("blobs/{}", digest.to_string().replace(':', "/"));
    let manifest = place(image.digest());
    assert!(Lab::of(&tar).read().is_ok());

    let lab = Lab::of(&tar);
    fs::remove_file(lab.path("oci-layout")).unwrap();
    lab.refuses("oci-layout");
    let lab = Lab::of(&tar);
    lab.change("oci-layout", |mark| {
        mark["imageLayoutVersion"] = json!("2.0")
    });
    lab.refuses("another version");
    let lab = Lab::of(&tar);
    lab.change("index.json", |index| index["manifests"] = json!([]));
    lab.refuses("no image for linux on amd64");
    let lab = Lab::of(&tar);
    lab.change("index.json", |index| {
        index["manifests"][0]["platform"]["architecture"] = json!("arm64");
    });
    lab.refuses("no image for linux on amd64");
    let lab = Lab::of(&tar);
    lab.change("index.json", |index| {
        index["manifests"][0]["digest"] = json!("sha256:../../../etc/passwd");
    });
    lab.refuses("its JSON");
    let lab = Lab::of(&tar);
    lab.change("index.json", |index| {
        index["manifests"][0]["digest"] = json!(format!("sha512:{}", "0".repeat(128)));
    });
    lab.refuses("no SHA-256");
    // An index that names itself: its digest would have to be in itself.
    let lab = Lab::of(&tar);
    lab.change(&manifest, |manifest| manifest["layers"] = json!([]));
    lab.refuses("is not what its name says");
    let lab = Lab::of(&tar);
    fs::write(lab.path(&place(&only.blob.digest)), "other").unwrap();
    lab.refuses("a layer");
    let lab = Lab::of(&tar);
    fs::remove_file(lab.path("index.json")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, lab.path("index.json"), 0o600.into()).unwrap();
    lab.refuses("no file of at most 4 MiB");
}

#[test]
fn what_is_no_layout_is_refused_with_the_way_to_one() {
    let lab = TempDir::new().unwrap();
    let refused = |bytes: &[u8], said: &str| {
        let path = lab.path().join("base.tar");
        fs::write(&path, bytes).unwrap();
        let scratch = TempDir::new().unwrap();
        let error = Base::read(&path, &platform(), scratch.path()).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(error.to_string().contains("skopeo"), "{error}");
    };
    refused(b"", "no index.json");
    refused(
        b"PK\x03\x04 this is a jar, and not a tar of anything",
        "its tar",
    );
    refused(&[0x1f, 0x8b, 8, 0], "gunzip");
    let mut tar = tar::Builder::new(Vec::new());
    let mut head = tar::Header::new_ustar();
    head.set_size(2);
    head.set_cksum();
    tar.append_data(&mut head.clone(), "manifest.json", &b"[]"[..])
        .unwrap();
    refused(&tar.into_inner().unwrap(), "older format");
}

/// A tar may not write where it wants.
#[test]
fn nothing_of_a_tar_is_written_outside() {
    let outer = TempDir::new().unwrap();
    let scratch = outer.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let mut tar = Vec::new();
    for name in [
        "../planted",
        "blobs/sha256/../../../planted",
        "/tmp/planted-by-a-tar",
    ] {
        let mut head = tar::Header::new_old();
        head.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        head.set_size(4);
        head.set_cksum();
        tar.extend_from_slice(head.as_bytes());
        tar.extend_from_slice(&[b'x'; 4]);
        tar.extend_from_slice(&[0; 508]);
    }
    tar.extend_from_slice(&[0; 1024]);
    assert!(Base::read_tar(&tar[..], &platform(), &scratch).is_err());
    let below = fs::read_dir(outer.path()).unwrap().count();
    assert_eq!(below, 1, "the scratch folder alone");
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    assert!(!Path::new("/tmp/planted-by-a-tar").exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In whatever order files are put there, the bytes are the same.
    #[test]
    fn the_same_files_are_the_same_bytes(
        files in proptest::collection::btree_map("/[a-z]{1,8}(/[a-zé ]{1,60}){0,4}\\.x", ".{0,40}", 1..12),
        runs in any::<bool>(),
    ) {
        let lab = TempDir::new().unwrap();
        let made = |backwards: bool| {
            let mut all: Vec<_> = files.iter().collect();
            if backwards {
                all.reverse();
            }
            let mut tree = Tree::default();
            for (path, text) in all {
                let content = tacho_oci::Content::Bytes(text.as_bytes().to_vec());
                tree.put(ImagePath::parse(path).unwrap(), Node::File { content, runs }).unwrap();
            }
            let layer = Layer::write("layer", &tree, SourceDate::default(), lab.path()).unwrap();
            written(&Image::of(platform(), None, vec![layer], &process()).unwrap())
        };
        prop_assert_eq!(made(false), made(true));
    }
}
