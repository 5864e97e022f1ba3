package com.medivault.letters.crypto;

import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.Security;

/** Makes the algorithms of the old archive available. */
public final class CryptoSetup {

    private static final Logger LOG = LoggerFactory.getLogger(CryptoSetup.class);

    private CryptoSetup() {
    }

    public static void install() {
        if (Security.getProvider(BouncyCastleProvider.PROVIDER_NAME) == null) {
            Security.insertProviderAt(new BouncyCastleProvider(), 1);
            LOG.info("Legacy fingerprints available");
        }
    }
}
