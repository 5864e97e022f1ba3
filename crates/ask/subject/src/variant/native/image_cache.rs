//! Native images that were built before. Building one takes minutes, and the same files give the
//! same image.

use super::super::PrepareError;
use super::IMAGE;
use crate::Host;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tacho_launch::Scratch;

/// Most images that are kept. The least recently used ones are removed.
const MOST: usize = 12;

/// Beside the image: how it was made.
const MAKING: &str = "making.json";

/// How an image was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Making {
    /// The day, for people.
    pub built_on: String,
    /// To copy and paste.
    pub commands: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Making {
    /// It was made just now.
    pub fn now(commands: &[String], took: Duration) -> Self {
        Self {
            built_on: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            commands: commands.to_vec(),
            took,
        }
    }
}

/// An image that was kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Folder in the cache that holds the image and what lies beside it.
    pub folder: PathBuf,
    /// How it was made.
    pub making: Making,
}

impl Kept {
    /// Puts the image and what lies beside it into a folder, as links where possible, since images
    /// are large.
    pub fn place(&self, to: &Path) -> Result<(), PrepareError> {
        copy_all(&self.folder, to).map_err(|e| PrepareError::io(to, e))?;
        // Used now: it stays longer.
        let _ = fs::write(self.folder.join("used"), "");
        Ok(())
    }
}

/// All images that were kept, each in a folder named by what went into it.
#[derive(Debug, Clone)]
pub struct ImageCache {
    folder: PathBuf,
}

impl ImageCache {
    /// Below the user's cache.
    pub fn of(host: &Host) -> Self {
        Self {
            folder: host.images.clone(),
        }
    }

    /// The image of these inputs. One that was removed in part is none.
    pub fn find(&self, key: &str) -> Option<Kept> {
        let folder = self.folder.join(key);
        if !folder.join(IMAGE).is_file() {
            return None;
        }
        let making = fs::read(folder.join(MAKING)).ok()?;
        let making = serde_json::from_slice(&making).ok()?;
        Some(Kept { folder, making })
    }

    /// Keeps the content of a folder. It appears in the cache completely or not at all.
    pub fn keep(&self, key: &str, image: &Path, making: &Making) -> Result<(), std::io::Error> {
        fs::create_dir_all(&self.folder)?;
        // When this process is killed meanwhile, the next command removes the folder.
        let scratch = Scratch::within(&self.folder).map_err(std::io::Error::other)?;
        let unfinished = scratch.path().join(key);
        fs::create_dir(&unfinished)?;
        copy_all(image, &unfinished)?;
        fs::write(unfinished.join(MAKING), serde_json::to_vec(making)?)?;
        let kept = self.folder.join(key);
        if kept.exists() {
            fs::remove_dir_all(&kept)?;
        }
        fs::rename(unfinished, kept)?;

        self.forget_the_oldest();
        Ok(())
    }

    fn forget_the_oldest(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut kept: Vec<(SystemTime, PathBuf)> = entries
            .map(|entry| entry.path())
            .filter(|path| path.join(MAKING).is_file())
            .map(|path| (last_used(&path), path))
            .collect();
        kept.sort();
        let too_many = kept.len().saturating_sub(MOST);
        for (_, path) in kept.into_iter().take(too_many) {
            // An image that cannot be removed now is removed later.
            let _ = fs::remove_dir_all(path);
        }
    }
}

fn last_used(folder: &Path) -> SystemTime {
    let time = |name: &str| folder.join(name).metadata().and_then(|m| m.modified()).ok();
    let times = [time("used"), time(MAKING)].into_iter().flatten();
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The files of a folder, but for what the cache itself writes there.
fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path
            .file_name()
            .filter(|name| *name != MAKING && *name != "used")
        else {
            continue;
        };
        let target = to.join(name);
        if path.is_file() && fs::hard_link(&path, &target).is_err() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn making(day: &str) -> Making {
        Making {
            built_on: day.to_owned(),
            commands: vec!["native-image -jar app.jar".to_owned()],
            took: Duration::from_secs(90),
        }
    }

    #[test]
    fn what_was_kept_is_found_whole_with_how_it_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ImageCache {
            folder: folder.path().join("images"),
        };
        assert_eq!(cache.find("abc"), None);
        let image = folder.path().join("image");
        fs::create_dir_all(&image).unwrap();
        fs::write(image.join("application"), "elf").unwrap();
        fs::write(image.join("libawt.so"), "so").unwrap();
        for day in ["2026-11-21", "2026-11-22"] {
            cache.keep("abc", &image, &making(day)).unwrap();
        }
        let kept = cache.find("abc").unwrap();
        assert_eq!(kept.making, making("2026-11-22"));
        let to = folder.path().join("run");
        kept.place(&to).unwrap();
        let mut names: Vec<_> = fs::read_dir(&to)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["application", "libawt.so"]);
        assert_eq!(fs::read_to_string(to.join("application")).unwrap(), "elf");
        fs::remove_file(kept.folder.join("application")).unwrap();
        assert_eq!(cache.find("abc"), None, "it was removed in part");
        let left = fs::read_dir(folder.path().join("images")).unwrap().count();
        assert_eq!(left, 1, "nothing unfinished is left");
    }

    #[test]
    fn no_more_images_than_the_limit_are_cached() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ImageCache {
            folder: folder.path().join("images"),
        };
        let image = folder.path().join("image");
        fs::create_dir_all(&image).unwrap();
        fs::write(image.join("application"), "elf").unwrap();
        for n in 0..MOST + 3 {
            let key = n.to_string();
            cache.keep(&key, &image, &making("2026-11-22")).unwrap();
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + n as u64);
            let file = fs::File::open(cache.folder.join(&key).join(MAKING)).unwrap();
            file.set_modified(at).unwrap();
        }
        cache.forget_the_oldest();
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), MOST);
        assert_eq!(cache.find("2"), None);
        assert!(cache.find("3").is_some());
    }
}
