#!/usr/bin/perl
# A second, independent count over the finished files: pauses, sum, longest, full, order of instants, heap from one line to the next.
use strict; use warnings; use Encode; use IO::Uncompress::Gunzip (); use IO::Uncompress::Unzip (); use File::Find;
my $root='/work/gc-cases'; my $bad=0;
for my $dir (sort glob "$root/seen/* $root/held-back/*") {
  my %t; open my $f,'<',"$dir/truth.yaml" or die; while(<$f>){ $t{$1}=$2 if /^([\w-]+): "?(.*?)"?$/ } close $f; (my $n=$dir)=~s{.*/}{};
  my @files; find({no_chdir=>1,wanted=>sub{ push @files,$_ if -f $_ && !/truth\.yaml$/ }},$dir); my @txt; for my $p (sort @files) { open my $h,'<:raw',$p or die; local $/; my $b=<$h>; $b//=''; if ($p=~/\.gz$/) { my $o; IO::Uncompress::Gunzip::gunzip(\$b=>\$o); $b=$o; } elsif ($p=~/\.zip$/) { my $z=IO::Uncompress::Unzip->new(\$b); my $all=''; my $st; do { local $/; my $l=<$z>; $all.=$l if defined $l; } while (($st=$z->nextStream)==1); $b=$all; } $b=decode('UTF-16LE',substr($b,2)) if $b=~/^\xFF\xFE/; push @txt,$b; }
  my $all=join("\n",@txt); next unless defined $t{pauses}; $all=~s/\e\[[\d;]*[mK]//g; $all=~s/\e\[K//g;
  my ($c,$sum,$max,$full)=(0,0,0,0); my @warn; my ($lastA,$lastT,%nest);
  my @l=split /\r?\n/,$all; @l=reverse @l if $n=~/newest-first/;
  if ($n=~/openj9/) { while ($all=~/<exclusive-end [^>]*durationms="([\d.]+)"/g) { $c++; $sum+=$1; $max=$1 if $1>$max; } $full=()=$all=~/<gc-end [^>]*type="global"/g; }
  elsif ($n=~/jrockit/) { while ($all=~/\[(Y|O)C#\d+\].*?sum of pauses ([\d.]+) ms/g) { $c++; $sum+=$2; $max=$2 if $2>$max; $full++ if $1 eq 'O'; } }
  elsif ($n=~/native-image-22/) { while ($all=~/\[(Full|Incremental) GC \(CollectOnAllocation\) .*?, ([\d.]+) secs/g) { my $m=$2*1000; $c++; $sum+=$m; $max=$m if $m>$max; $full++ if $1 eq 'Full'; } }
  elsif ($n=~/shenandoah-8/) { while ($all=~/\[(Pause [^\[\]]*?), ([\d.]+) ms\]/gs) { $c++; $sum+=$2; $max=$2 if $2>$max; $full++ if $1=~/^Pause Full/; } }
  elsif ($all=~/GC\(\d+\) /) { my %pend; for my $i (0..$#l) { my $x=$l[$i]; $x=~s/(\d),(\d+)(ms|s\])/$1.$2$3/g;
      if ($x=~/\[([\d.]+)s\]\[/) { push @warn,"time back at line $i: $1 < $lastT" if defined $lastT && $1<$lastT-0.0005 && $n!~/two-starts|two-pods|restart|rotation|newest|zip/; $lastT=$1; }
      next unless $x=~/GC\((\d+)\) (?:[YyO]: )?(Pause (?:(?!->).)*?)(?: ([\d.]+)M->([\d.]+)M(?:\((\d+)M\))?)? ([\d.]+)ms(?!\S* *\S*ms)/; my ($id,$ti,$b,$a,$cap,$ms)=($1,$2,$3,$4,$5,$6);
      if ($ti=~/^Pause Young/ && exists $nest{$id+1}) { my $q=$nest{$id+1}; $c--; $sum-=$q; } 
      if (defined $b) { push @warn,"heap falls without a collection: $lastA -> $b (line $i)" if defined $lastA && $b<$lastA-1 && !exists $nest{$id+1} && $ti!~/Remark|Cleanup|Degenerated/ && $n!~/two-|restart|three|rotation|zip|cms-11|directory/; push @warn,"grows in a pause $b->$a line $i" if $a>$b && $n!~/native/; push @warn,"above cap $b>$cap line $i" if defined $cap && $b>$cap; $lastA=$a; }
      $nest{$id}=$ms if $ti=~/^Pause Full/ && $n=~/nested|w-cri/; $c++; $sum+=$ms; $max=$ms if $ms>$max; $full++ if $ti=~/^Pause Full/; } }
  else { my $buf=''; for my $i (0..$#l) { my $x=$l[$i]; $x=~s/^.*?((?:\d{4}-\d\d-\d\dT\S+: )?(?:\d+\.\d{3}: )?\[(?:Full )?GC)/$1/ if $x!~/^\s/; if ($x=~/\[CMS\S*?\[CMS-concurrent|\[CMS20\d\d-.*\[CMS-conc/) { $buf=$x; next; } if ($buf ne '' && $x=~/^ \(concurrent mode failure\)/) { $x=$buf.$x; $buf=''; $x=~s/\[CMS-concurrent-mark: .*? secs\] \[Times: .*? secs\]//; }
      next if $x=~/\[GC concurrent|^\s/; next unless $x=~/\[(Full )?GC/; my $isfull=defined $1 || $x=~/concurrent mode failure|promotion failed/; my $y=$x; $y=~s/\[Times:.*//; my @s=$y=~/([\d.]+) secs\]/g; next unless @s; my $ms=$s[-1]*1000; $c++; $sum+=$ms; $max=$ms if $ms>$max; $full++ if $isfull;
      if ($y=~/(?:\]|\)|secs\]) +(\d+)K->(\d+)K\((\d+)K\)/) { my ($b,$a,$cap)=($1,$2,$3); push @warn,"heap falls $lastA->$b line $i" if defined $lastA && $b<$lastA && $n!~/three|two-|initial/; push @warn,"grows $b->$a" if $a>$b; push @warn,"above cap" if $b>$cap; $lastA=$a; }
      if ($x=~/(?:^|: )(\d+\.\d{3}): \[/) { push @warn,"time back line $i" if defined $lastT && $1<$lastT && $n!~/three|rotation/; $lastT=$1; } } }
  my $ok = $c==$t{pauses} && abs($sum-($t{'pauses-total-ms'}//0))<0.01 && ($c==0 || abs($max-$t{'longest-ms'})<0.001) && $full==$t{full};
  if (!$ok) { $bad++; print "DIFF $n: count $c/$t{pauses} sum ".sprintf("%.4f",$sum)."/$t{'pauses-total-ms'} max $max/$t{'longest-ms'} full $full/$t{full}\n"; }
  print "WARN $n: ".scalar(@warn)." e.g. $warn[0]; ".($warn[-1])."\n" if @warn; }
print "cases with a difference: $bad\n";
