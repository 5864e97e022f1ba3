package tacho.nativekit.driver.request;

/** What a call of native-image is for. */
public enum Goal {
    BUILD, DRY_RUN, VERSION, HELP, HELP_EXTRA, EXPERT_OPTIONS, EXPERT_OPTIONS_ALL
}
