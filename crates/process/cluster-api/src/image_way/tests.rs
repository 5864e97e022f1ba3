use super::*;
use tempfile::TempDir;

/// What a kubeconfig with one context of this name and these extensions tells.
fn told(name: &str, extensions: &str) -> Result<Option<ImageWay>, String> {
    let folder = TempDir::new().unwrap();
    let kubeconfig = folder.path().join("config");
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: {name}\n\
         contexts: [{{name: {name}, context: {{cluster: c, user: u, extensions: {extensions}}}}}]\n\
         clusters: [{{name: c, cluster: {{server: 'http://127.0.0.1:1'}}}}]\n\
         users: [{{name: u, user: {{token: s3cr3t}}}}]\n"
    );
    std::fs::write(&kubeconfig, text).unwrap();
    let access = Access {
        kubeconfig: Some(kubeconfig),
        ..Access::default()
    };
    match access.image_way() {
        Ok(told) => {
            assert_eq!(told.context, name);
            Ok(told.way)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn command(words: &[&str]) -> Option<ImageWay> {
    let words = words.iter().map(|word| (*word).to_owned());
    Some(ImageWay::Command(words.collect()))
}

#[test]
fn clusters_on_ones_own_machine_are_known_by_what_made_them() {
    let kind = command(&["kind", "load", "image-archive", "--name=dev"]);
    assert_eq!(told("kind-dev", "[]"), Ok(kind));
    let k3d = command(&["k3d", "image", "import", "--cluster=dev"]);
    assert_eq!(told("k3d-dev", "[]"), Ok(k3d));
    let minikube = command(&["minikube", "image", "load", "--profile=minikube"]);
    assert_eq!(told("minikube", "[]"), Ok(minikube));
}

#[test]
fn a_profile_of_minikube_is_known_by_its_extension() {
    let extension = "[{name: context_info, extension: {provider: minikube.sigs.k8s.io}}]";
    let of_profile = command(&["minikube", "image", "load", "--profile=shop"]);
    assert_eq!(told("shop", extension), Ok(of_profile));
    let other = "[{name: context_info, extension: {provider: somebody}}]";
    assert_eq!(told("shop", other), Ok(None));
}

#[test]
fn of_another_cluster_nothing_is_guessed() {
    for name in [
        "production",
        "arn:aws:eks:eu-west-1:1:cluster/a",
        "mykind-a",
    ] {
        assert_eq!(told(name, "[]"), Ok(None), "{name}");
    }
}

#[test]
fn an_extension_of_the_context_says_it_and_goes_before_its_name() {
    let pushed = "[{name: tacho, extension: {image: registry.example/team/app}}]";
    let repository = ImageWay::Repository("registry.example/team/app".into());
    assert_eq!(told("kind-dev", pushed), Ok(Some(repository)));
    let line = "[{name: tacho, extension: {load-image: 'box  load'}}]";
    assert_eq!(told("there", line), Ok(command(&["box", "load"])));
    let each = "[{name: tacho, extension: {load-image: ['/a b/box', load]}}]";
    assert_eq!(told("there", each), Ok(command(&["/a b/box", "load"])));
}

#[test]
fn an_extension_that_is_not_understood_is_an_error_without_its_text() {
    for bad in [
        "{}",
        "{load-image: ''}",
        "{load-image: []}",
        "{image: a, load-image: b}",
        "{imgae: s3cr3t}",
        "s3cr3t",
    ] {
        let extensions = format!("[{{name: tacho, extension: {bad}}}]");
        let error = told("there", &extensions).unwrap_err();
        assert!(
            error.contains("the extension `tacho` of context `there`"),
            "{bad}: {error}"
        );
        assert!(!error.contains("s3cr3t"), "{error}");
    }
}

#[test]
fn a_context_that_is_not_there_is_named_with_those_that_are() {
    let folder = TempDir::new().unwrap();
    let kubeconfig = folder.path().join("config");
    let text = "current-context: a\ncontexts: [{name: b, context: {cluster: c}}]\n";
    std::fs::write(&kubeconfig, text).unwrap();
    let access = Access {
        kubeconfig: Some(kubeconfig),
        ..Access::default()
    };
    let error = access.image_way().unwrap_err().to_string();
    assert!(
        error.contains("no context `a`") && error.contains('b'),
        "{error}"
    );
}
