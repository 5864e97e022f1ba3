#!/usr/bin/perl
# count-pauses.pl FILE: counts the pauses of a unified log of HotSpot, by other means than the
# reader: one regular expression for a line, and no state but the pauses before. Prints their
# number, their sum and the longest in nanoseconds, and how many were nested in others.
#
# A pause is a line that names a collection, then `Pause`, and ends with milliseconds. Until JDK 14 a
# young collection that could not go on as one holds a full one: the line of the full one, with the
# larger number, comes first, and the outer one has both. Such a pause counts once.
use strict;
use warnings;
use integer;

my @pauses;
my $nested = 0;
while (my $line = <>) {
    my ($number, $name, $whole, $part) =
        $line =~ /GC\((\d+)\)\s+(?:[YyOo]:\s+)?Pause (\w+).*?\s(\d+)\.(\d{3})ms\s*$/ or next;
    while (@pauses && $name eq 'Young' && $pauses[-1]{name} eq 'Full' && $pauses[-1]{number} > $number) {
        pop @pauses;
        $nested++;
    }
    push @pauses, { number => $number, name => $name, ns => $whole * 1_000_000 + $part * 1_000 };
}
my ($sum, $longest) = (0, 0);
for my $pause (@pauses) {
    $sum += $pause->{ns};
    $longest = $pause->{ns} if $pause->{ns} > $longest;
}
print join("\t", scalar(@pauses), $sum, $longest, $nested), "\n";
