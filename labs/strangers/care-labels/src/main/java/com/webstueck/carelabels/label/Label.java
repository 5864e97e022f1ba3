package com.webstueck.carelabels.label;

import java.util.List;

/** What is printed on the strip that is sewn into an article. */
public record Label(int article, String language, String title, String composition, String origin, List<String> care,
                    List<String> hints) {
}
