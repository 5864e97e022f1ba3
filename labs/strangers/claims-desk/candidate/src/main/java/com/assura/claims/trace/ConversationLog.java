package com.assura.claims.trace;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one conversation with a caller. Support can raise its level through the administration
 * port ({@code PUT /loggers/conversation.<id>?level=DEBUG}) without drowning in all the others.
 */
public final class ConversationLog {

    private static final String PREFIX = "conversation.";

    private ConversationLog() {
    }

    public static Logger of(String correlationId) {
        return LoggerFactory.getLogger(PREFIX + correlationId);
    }
}
