//! `tacho native-kit`.

use crate::arguments::{NativeKit, NativeKitInstall};
use crate::error::Error;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, print};
use tacho_native_kit::{Installation, install};
use tacho_subject::{Host, ImageBuilder};

/// Installs the kit, or says which builder is used.
pub fn native_kit(arguments: &NativeKit) -> Done {
    match arguments {
        NativeKit::Install(arguments) => install_kit(arguments),
        NativeKit::Which => which(&Host::here()),
    }
}

fn install_kit(arguments: &NativeKitInstall) -> Done {
    let what = Installation {
        to: arguments.to.clone(),
        jdk: arguments.jdk.clone(),
        from: arguments.from.clone(),
        force: arguments.force,
    };
    let stop = stop_on_signals()?;
    let installed = install(&what, stop.flag(), &mut |line| crate::tell!("{line}"))?;
    let home = installed.home.display();
    print(&format!("GRAALVM_HOME={home}\n"))?;
    let used = ImageBuilder::find(&Host::here());
    match used.filter(|builder| builder.is_in(&installed.home)) {
        Some(_) => crate::tell!("`native` variants are made with it from now on."),
        None => crate::tell!(
            "Set it to have `native` variants, and your own builds, made with it: export GRAALVM_HOME={home}"
        ),
    }
    Ok(Exit::Done)
}

fn which(host: &Host) -> Done {
    let builder = ImageBuilder::find(host).ok_or(Error::NoImageBuilder)?;
    print(&format!(
        "{}\n{}\n",
        builder.title(),
        builder.program().display()
    ))?;
    Ok(Exit::Done)
}
