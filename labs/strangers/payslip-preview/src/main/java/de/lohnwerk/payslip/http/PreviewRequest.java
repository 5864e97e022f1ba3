package de.lohnwerk.payslip.http;

import de.lohnwerk.payslip.money.Money;

import java.net.URI;

/** GET /preview/{number}?netBonus=1500&bonusMonth=4 */
record PreviewRequest(int number, Money netBonus, int bonusMonth) {

    static PreviewRequest of(URI uri) {
        int number = integer("number", uri.getPath().substring("/preview/".length()));
        Money netBonus = Money.ZERO;
        int bonusMonth = 4;
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&")) {
                if (pair.startsWith("netBonus=")) {
                    netBonus = Money.euro(integer("netBonus", pair.substring(9)));
                } else if (pair.startsWith("bonusMonth=")) {
                    bonusMonth = integer("bonusMonth", pair.substring(11));
                }
            }
        }
        if (bonusMonth < 1 || bonusMonth > 12) {
            throw new BadRequest(400, "bonusMonth must be between 1 and 12");
        }
        return new PreviewRequest(number, netBonus, bonusMonth);
    }

    private static int integer(String name, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 1_000_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new BadRequest(400, name + " is no number");
        }
        throw new BadRequest(400, name + " is out of range");
    }
}
