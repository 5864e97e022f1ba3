package ch.grundbuch.extracts.cadastre;

import java.net.URI;

/** Where the cadastre is to be reached. */
public interface CadastreLocation {

    URI base();
}
