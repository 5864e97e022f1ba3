#!/usr/bin/perl
# count-pauses.pl [--list|--rest] FILE...
#
# Counts garbage collection pauses in HotSpot logs of JDK 6 to 8 (before unified logging).
# One tab separated line a file:
#   1 name (base name)
#   2 number of pauses
#   3 sum of the pauses, nanoseconds
#   4 longest pause, nanoseconds
#   5 full collections among the pauses
#   6 young or mixed collections among the pauses
#   7 number of "Total time for which application threads were stopped" texts
#   8 their sum, nanoseconds
# --list prints one line a pause instead: name, line, start stamp, ns, kind, first word of record.
# --rest prints what is left of each file when all known text is taken away (should be junk only).
#
# METHOD. No bracket parser.  (1) line ends are made \n; (2) text that is known and is no pause
# (stopped times, tenuring ages, TLAB, FLS statistics, size policy, reference times, concurrent
# phases) is cut out wherever it stands, even in the middle of a record, leaving only its newlines;
# (3) what is left is matched against a closed list of regular expressions, one for each COMPLETE
# record, leftmost first; each match is one pause and is taken out whole, with all that is nested
# in it; (4) further known text is taken away, and the rest can be looked at.
# A record without its end matches none of the expressions and so is no pause.
#
# WHAT COUNTS AS FULL (column 5):
#   - every record that begins with "[Full GC" (any collector, any cause), and
#   - a record that begins with "[GC" but holds a stop-the-world collection of the old generation:
#     "[GC ... [ParNew ...][CMS ..." (with or without "(concurrent mode failure)") and
#     "[GC ... [DefNew ...][Tenured ...".  Kind "full-in-gc" in --list.
# WHAT COUNTS AS YOUNG/MIXED (column 6):
#   - "[GC" records of DefNew, ParNew, PSYoungGen (also "GC--"), "[GC A->B(C)", and every
#     "[GC pause" of G1: (young), (mixed), also with (initial-mark).
# NEITHER: CMS initial mark and remark ("[GC A(C), x secs]" without details), G1 remark, cleanup.
# So column 2 = 5 + 6 + these.  Young collections nested in a CMS remark are in no column.
use strict;
use warnings;
use integer;
use File::Basename;

my $mode = '';
$mode = shift @ARGV while @ARGV && $ARGV[0] =~ /^--/;

# ---- atoms -------------------------------------------------------------------------------------
my $DEC   = qr/\d+[.,]\d+/;
my $DATE  = qr/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+[+-]\d{4}:\s/;
my $T     = qr/(?:$DATE)?\d+[.,]\d+:\s/;                         # a stamp, date before it or not
my $S     = qr/\d+(?:\.\d+)?[BKMG]/;                            # 123K, 1004.0M
my $CH    = qr/$S->$S\($S\)/;                                   # before->after(capacity)
my $DUR   = qr/,\s$DEC\ssecs\]/;                                # end of a nested part
my $END   = qr/,\s(?<sec>\d+)[.,](?<frac>\d{1,9})\ssecs\]/;     # end of the record itself
my $TIMES = qr/\s*\[Times:\suser=$DEC\ssys=$DEC,\sreal=$DEC\ssecs\]/;
my $CAUSE = qr/(?:\s?\((?:[^()\[\]]|\(\))*\))*/;                # (System.gc()), (young) ...
my $ICMS  = qr/(?:\sicms_dc=\d+\s)?/;
my $W     = qr/\s*/;
my $PERM  = qr/\[(?:CMS\sPerm\s|PSPermGen|Metaspace|Perm\s):\s$CH\]/;

# ---- text that may stand anywhere and is no pause ----------------------------------------------
my @NOISE = (
  qr/(?:$T)?Total time for which application threads were stopped: $DEC seconds(?:, Stopping threads took: $DEC seconds)?/,
  qr/(?:$T)?Application time: $DEC seconds/,
  # concurrent phases of CMS, with their own [Times]
  qr/(?: CMS: abort preclean due to time )?(?:$T)?\[CMS-concurrent-[a-z-]+-start\]/,
  qr{(?: CMS: abort preclean due to time )?(?:$T)?\[CMS-concurrent-[a-z-]+: $DEC/$DEC secs\](?:$TIMES)?[ ]?},
  # concurrent phases of G1
  qr/(?:$T)?\[GC concurrent-[a-z-]+(?:-start|-end, $DEC secs|-abort)\]/,
  # reference processing
  qr/(?:$T)?\[(?:Soft|Weak|Final|Phantom)Reference(?:, \d+ refs)+, $DEC secs\]/,
  qr/(?:$T)?\[JNI Weak Reference, $DEC secs\]/,
  qr/(?:$T)?\[Preclean \w+References, $DEC secs\]/,
  # tenuring
  qr/Desired survivor size \d+ bytes, new threshold \d+ \(max \d+\)/,
  qr/- age\s+\d+:\s+\d+ bytes,\s+\d+ total/,
  # free list space statistics
  qr/(?:Before|After) GC:|Statistics for BinaryTreeDictionary:|-{30,}/,
  qr/(?:Total Free Space|Max   Chunk Size|Number of Blocks|Av\.  Block  Size|Tree      Height): \d+/,
  qr/CMS: Large block 0x[0-9a-f]+|CMS: Large Block: 0x[0-9a-f]+; Proximity: 0x[0-9a-f]+ -> 0x[0-9a-f]+/,
  # TLAB
  qr/TLAB(?:: gc thread| totals): [^\n\[]*(?:\[id: \d+\])?[^\n\[]*/,
  # adaptive size policy
  qr/AdaptiveSizePolicy::update_averages:[^\n\[]*?overflow: (?:true|false)/,
  qr/PSAdaptiveSizePolicy::compute_\w+:?[^\n\[]*/,
  qr/AdaptiveSizePolicy::survivor space sizes: [^\n\[]*/,
  qr/AdaptiveSizeStart: $DEC collection: \d+ ?|AdaptiveSizeStop: collection: \d+ ?/,
  qr/[ ]+avg_survived_padded_avg: [^\n\[]*/,
);

# ---- complete records --------------------------------------------------------------------------
my $YPART  = qr/$T\[(?:DefNew|ParNew)(?:\s\(promotion\sfailed\))?$W:\s$CH$DUR/;
my $CMF    = qr/(?:$W\(concurrent\smode\s(?:failure|interrupted)\))*/;
my $OPART  = qr/$T\[(?:Tenured|CMS)$CMF:\s$CH$DUR/;
# a young record as it stands nested in a remark: the same shape, its end not captured
my $NESTED = qr/$T\[GC$CAUSE$W$YPART$W$CH$ICMS$DUR(?:$TIMES)?$W/;
my $REMPART = qr/(?:$T)\[(?:Rescan\s\((?:non-)?parallel\)\s|weak\srefs\sprocessing|class\sunloading|scrub\s[a-z& ]+)$DUR/;

my @RECORD = (
  [ 'remark'       => qr/\[GC$CAUSE\s?\[YG\soccupancy:\s\d+\sK\s\(\d+\sK\)\](?:$NESTED)?(?:$W$REMPART)+\s?\[1\sCMS-remark:\s$S\($S\)\]\s$S\($S\)$ICMS$END/ ],
  [ 'initial-mark' => qr/\[GC$CAUSE\s\[1\sCMS-initial-mark:\s$S\($S\)\]\s$S\($S\)$ICMS$END/ ],
  [ 'full'         => qr/\[Full\sGC$CAUSE$W$OPART\s$CH,\s$PERM$ICMS$END/ ],
  [ 'full'         => qr/\[Full\sGC$CAUSE$W\[PSYoungGen:\s$CH\]\s\[(?:PSOldGen|ParOldGen):\s$CH\]\s$CH,?\s$PERM$END/ ],
  [ 'full'         => qr/\[Full\sGC$CAUSE$W\s$CH$END/ ],
  [ 'full-in-gc'   => qr/\[GC$CAUSE$W$YPART$OPART\s$CH,\s$PERM$ICMS$END/ ],
  [ 'young'        => qr/\[GC$CAUSE$W$YPART$W$CH$W$ICMS$W$END/ ],
  [ 'young'        => qr/\[GC(?:--)?$CAUSE$W(?:--)?\[PSYoungGen:\s$CH\]\s$CH$END/ ],
  [ 'young'        => qr/\[GC(?:--)?$CAUSE$W\s$CH$END/ ],
  [ 'cms-mark'     => qr/\[GC$CAUSE\s$S\($S\)$END/ ],               # initial mark or remark, no details
  [ 'g1-young'     => qr/\[GC\spause$CAUSE$W$END/ ],
  [ 'g1-remark'    => qr/\[GC\sremark(?:\s$T\[[A-Z][A-Za-z -]+$DUR)*$END/ ],
  [ 'g1-cleanup'   => qr/\[GC\scleanup\s$CH$END/ ],
);
my %IS_FULL  = map { $_ => 1 } 'full', 'full-in-gc';
my %IS_YOUNG = map { $_ => 1 } 'young', 'g1-young';

sub ns { my ($s, $f) = @_; return $s * 1_000_000_000 + substr($f . '000000000', 0, 9); }
sub newlines { my $t = shift; return "\n" x ($t =~ tr/\n//); }

for my $file (@ARGV) {
  open my $fh, '<:raw', $file or die "$file: $!\n";
  my $text = do { local $/; <$fh> };
  close $fh;
  $text = '' unless defined $text;
  $text =~ s/\r\n?/\n/g;

  # stopped times, over the whole text as it is
  my ($stopped, $stopped_ns) = (0, 0);
  while ($text =~ /Total time for which application threads were stopped: (\d+)[.,](\d{1,9}) seconds/g) {
    $stopped++; $stopped_ns += ns($1, $2);
  }

  for my $re (@NOISE) { $text =~ s/$re/newlines($&)/ge; }

  # the records, leftmost first, all kinds tried at each "["
  my ($n, $sum, $max, $full, $young) = (0, 0, 0, 0, 0);
  my ($left, $line, $seen) = ('', 1, 0);
  pos($text) = 0;
  START: while ($text =~ /\[(?:Full )?GC/g) {
    my $at = $-[0];
    for my $rec (@RECORD) {
      my ($kind, $re) = @$rec;
      pos($text) = $at;
      next unless $text =~ /\G$re/g;
      my $d = ns($+{sec}, $+{frac});
      my $end = pos $text;
      my $got = substr $text, $at, $end - $at;
      $line += (substr($text, $seen, $at - $seen) =~ tr/\n//);
      if ($mode eq '--list') {
        my ($stamp) = substr($text, 0 + ($at > 60 ? $at - 60 : 0), $at > 60 ? 60 : $at) =~ /(\d+[.,]\d+):\s$/;
        (my $one = $got) =~ s/\s+/ /g;
        print join("\t", basename($file), $line, $stamp // '?', $d, $kind, substr($one, 0, 60)), "\n";
      }
      $left .= substr($text, $seen, $at - $seen) . newlines($got);
      $line += ($got =~ tr/\n//);
      $seen = $end;
      $n++; $sum += $d; $max = $d if $d > $max;
      $full++ if $IS_FULL{$kind}; $young++ if $IS_YOUNG{$kind};
      pos($text) = $end;
      next START;
    }
    pos($text) = $at + 3;                                      # no complete record begins here
  }
  $left .= substr $text, $seen;

  if ($mode eq '--rest') {
    for ($left) {
      s/$TIMES/newlines($&)/ge;
      s/^ +\[[A-Z][^\n]*\][ ]*$//gm;                                 # G1 detail lines
      s/^(?:Java HotSpot|Memory: |CommandLine flags: |\/proc\/meminfo:)[^\n]*//gm;
      s/^Heap$//gm; s/^No shared spaces configured\.//gm;
      s/^ +(?:par new|concurrent|eden|from|to|def new|tenured|the|Metaspace|class|PS\w+|ParOldGen|object|garbage-first|region|compacting)\b[^\n]*//gm;
      s/$T//g;
    }
    my $no = 0;
    for my $l (split /\n/, $left) { $no++; print basename($file), ":$no: $l\n" if $l =~ /\S/; }
  } elsif ($mode eq '') {
    print join("\t", basename($file), $n, $sum, $max, $full, $young, $stopped, $stopped_ns), "\n";
  }
}
