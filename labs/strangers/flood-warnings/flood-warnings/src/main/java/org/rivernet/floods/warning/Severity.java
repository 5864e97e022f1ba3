package org.rivernet.floods.warning;

public enum Severity {
    SEVERE, WARNING, ALERT, NONE
}
