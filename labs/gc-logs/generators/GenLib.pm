package GenLib;
# Shared parts of the case generators: a fixed random sequence, exact sums, writers for log styles.
use strict; use warnings; no warnings "portable";
use Exporter 'import';
our @EXPORT = qw(srnd rnd rint rf pick iso8601 dec3 put_all);
our $ROOT = $ENV{GC_CASES_ROOT} || '/work/gc-cases';

my $seed = 1;
sub srnd { $seed = (shift() * 2654435 + 97) & 0x7fffffff; rnd() for 1..5; }
sub rnd  { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return (($seed >> 7) & 0xffffff) / 0x1000000; }
sub rint { my ($a,$b)=@_; return $a + int(rnd() * ($b-$a+1)); }
sub rf   { my ($a,$b)=@_; return $a + rnd()*($b-$a); }
sub pick { return $_[int(rnd()*@_)]; }
sub dec3 { sprintf "%.3f", $_[0] }
# epoch milliseconds -> 2024-03-05T10:11:12.345+0000 with an offset in minutes
sub iso8601 { my ($ms,$off,$sep)=@_; $off//=0;
  my @g = gmtime(int($ms/1000)+$off*60);
  return sprintf "%04d-%02d-%02dT%02d:%02d:%02d.%03d%s%02d%02d", $g[5]+1900,$g[4]+1,@g[3,2,1,0],$ms%1000,
    ($off<0?'-':'+'), abs($off)/60, abs($off)%60;
}
sub put_all { my ($path,$bytes)=@_; open my $f,'>:raw',$path or die "$path: $!"; print $f $bytes; close $f or die; }

# ------------------------------------------------------------------ exact sums
package Tally;           # unit: 100 ns, so that both 3-digit ms and 7-digit seconds are exact
sub new { bless { n=>0, sum=>0, max=>0, full=>0, coll=>0, alloc=>0, last=>undef }, shift }
sub ms  { my ($s,$str,%o)=@_; $str =~ tr/,/./; my ($i,$f)=split /\./,$str; $f = substr(($f//'').'0000',0,4); return $s->u($i*10000+$f,%o); }
sub secs{ my ($s,$str,%o)=@_; my ($i,$f)=split /\./,$str; $f = substr(($f//'').'0000000',0,7); return $s->u($i*10000000+$f,%o); }
sub u   { my ($s,$u,%o)=@_; $s->{n}++; $s->{sum}+=$u; $s->{max}=$u if $u>$s->{max}; $s->{full}++ if $o{full}; return; }
sub txt { my $u=shift; my $t=sprintf("%d.%04d",int($u/10000),$u%10000); $t=~s/0+$//; $t=~s/\.$//; return $t; }
sub truth { my $s=shift; return (pauses=>$s->{n}, 'pauses-total-ms'=>txt($s->{sum}), 'longest-ms'=>txt($s->{max}), full=>$s->{full}); }
sub add { my ($s,$o)=@_; $s->{n}+=$o->{n}; $s->{sum}+=$o->{sum}; $s->{max}=$o->{max} if $o->{max}>$s->{max}; $s->{full}+=$o->{full}; return $s; }

# ------------------------------------------------------------------ a case folder
package Case;
my @ORDER = qw(family story made-from files collector jdk exit pauses pauses-total-ms longest-ms full collections duration-s restarts allocated-mb must-say must-not-say note);
sub new { my ($c,$where,$name,%t)=@_; die "where $where" unless $where eq 'seen' or $where eq 'held-back';
  my $dir="$GenLib::ROOT/$where/$name"; system('mkdir','-p',$dir)==0 or die; return bless { dir=>$dir, name=>$name, t=>{%t} }, $c; }
sub file { my ($s,$n,$bytes)=@_; if ($n =~ m{^(.*)/}) { system('mkdir','-p',"$s->{dir}/$1"); } GenLib::put_all("$s->{dir}/$n",$bytes); return $s; }
sub q { my $v=shift; return $v if $v =~ /^-?\d+(\.\d+)?$/; $v =~ s/([\\"])/\\$1/g; return "\"$v\""; }
use Links;
sub done { my ($s,%more)=@_; my %t=(%{$s->{t}},%more); my $o='';
  if (my $l=$Links::LINK{$s->{name}}) { $t{"made-from"}.=" ; $l" unless $t{"made-from"} =~ /\Q$l\E/; }
  my %known=map{$_=>1}@ORDER; for (keys %t) { die "key $_ in $s->{name}" unless $known{$_} }
  for my $k (@ORDER) { next unless defined $t{$k};
    if (ref $t{$k}) { $o.="$k:\n"; $o.='  - '.Case::q($_)."\n" for @{$t{$k}}; }
    else { $o.="$k: ".Case::q($t{$k})."\n"; } }
  GenLib::put_all("$s->{dir}/truth.yaml",$o); }

# ------------------------------------------------------------------ unified logging (JDK 9 and later)
package U;
use List::Util qw(max min sum);
# t: microseconds since JVM start
sub new { my ($c,%o)=@_; return bless { t=>0, start=>$o{start}//1709633472000, off=>$o{off}//0, decor=>$o{decor}//[qw(uptime level tags)],
   out=>[], w=>{}, id=>0, tally=>$o{tally}//Tally->new, jdk=>$o{jdk}//17, d=>$o{details}//0, comma=>$o{comma}//0, pid=>$o{pid}//4711, tid=>$o{tid}//4723,
   host=>$o{host}//'node-a', cap=>$o{cap}//512, rs=>$o{rs}//1, threads=>$o{threads}//4, sp=>$o{sp}//0, meta=>$o{meta}//42000, starved=>$o{starved}//0,
   only=>$o{only}, lastsp=>0, bare=>$o{bare}//0 }, $c; }
sub adv { my ($s,$ms)=@_; $s->{t} += int($ms*1000+0.5); return $s; }
sub now { $_[0]{t}/1e6 }
sub upms { int($_[0]{t}/1000) }
sub deco { my ($s,$d,$lvl,$tags)=@_;
  my $ms=$s->upms;
  return GenLib::iso8601($s->{start}+$ms,$s->{off}) if $d eq 'time';
  return GenLib::iso8601($s->{start}+$ms,0)         if $d eq 'utctime';
  if ($d eq 'uptime') { my $x=sprintf("%.3fs",$ms/1000); $x=~tr/./,/ if $s->{comma}; return $x; }
  return $ms.'ms' if $d eq 'uptimemillis';
  return ($s->{t}*1000+137).'ns' if $d eq 'uptimenanos';
  return ($s->{start}+$ms).'ms' if $d eq 'timemillis';
  return $s->{host} if $d eq 'hostname';
  return $s->{pid} if $d eq 'pid';
  return $s->{tid} if $d eq 'tid';
  return $lvl if $d eq 'level';
  return $tags if $d eq 'tags';
  die $d; }
sub line { my ($s,$tags,$msg,$lvl)=@_; $lvl//='info';
  return if $s->{only} && !$s->{only}{$tags};
  my $p='';
  for my $d (@{$s->{decor}}) { my $v=$s->deco($d,$lvl,$tags); my $w=$s->{w}{$d}//0; $w=length $v if length($v)>$w; $s->{w}{$d}=$w; $p.='['.sprintf("%-*s",$w,$v).']'; }
  $msg = $s->dcm($msg) if $s->{comma};
  my $txt = $p eq '' ? $msg : "$p $msg";
  push @{$s->{out}}, [$s->upms,$txt]; return $s; }
sub dcm { my ($s,$m)=@_; $m =~ s/(\d)\.(\d+)(ms|s\b| seconds)/$1,$2$3/g; return $m; }
sub raw { my ($s,$txt)=@_; push @{$s->{out}}, [$s->upms,$txt]; return $s; }
sub text { my $s=shift; return join('',map{"$_->[1]\n"}@{$s->{out}}); }
sub dur { my $s=shift; my @o=@{$s->{out}}; return sprintf("%.3f",($o[-1][0]-$o[0][0])/1000); }
sub nid { $_[0]{id}++ }
sub cpu { my ($s,$ms,$thr)=@_; $thr//=$s->{threads}; my $r=$ms/1000; my ($u,$y);
  if ($s->{starved}) { $u=$r*GenLib::rf(0.05,0.16); $y=$r*GenLib::rf(0.01,0.03); }
  else { $u=$r*$thr*GenLib::rf(0.72,0.94); $y=$r*GenLib::rf(0.0,0.12); }
  return ($u,$y,$r); }
sub cpuline { my ($s,$id,$ms,$thr)=@_; return unless $s->{d}; $s->line('gc,cpu',sprintf("GC(%d) User=%.2fs Sys=%.2fs Real=%.2fs",$id,$s->cpu($ms,$thr))); }
sub metaline { my ($s,$id,$m1)=@_; return unless $s->{d}; my $m0=$s->{meta}; $m1//=$m0; $s->{meta}=$m1;
  if ($s->{jdk}<16) { $s->line('gc,metaspace',"GC($id) Metaspace: ${m0}K->${m1}K(1099776K)"); }
  else { my $c0=int($m0*0.12); my $c1=int($m1*0.12); my $k=int($m1/64)*64+256; my $kc=int($c1/64)*64+128;
    $s->line('gc,metaspace',sprintf("GC(%d) Metaspace: %dK(%dK)->%dK(%dK) NonClass: %dK(%dK)->%dK(%dK) Class: %dK(%dK)->%dK(%dK)",$id,$m0,$k,$m1,$k,$m0-$c0,$k-$kc,$m1-$c1,$k-$kc,$c0,$kc,$c1,$kc)); } }
# a safepoint line around a stop of length $ms (JDK 13 and later form), or the older two-line form
sub safepoint { my ($s,$op,$ms,%o)=@_; return unless $s->{sp};
  my $reach=int(($o{reach}//GenLib::rf(0.02,0.3))*1e6); my $at=int(($ms+($o{extra}//GenLib::rf(0.05,0.3)))*1e6);
  if ($s->{jdk}>=13) { my $since=int($s->{t}*1000-$s->{lastsp})-$reach-$at; $since=GenLib::rint(61000,240000) if $since<61000;
    my $cl = ($s->{jdk}==21) ? int(GenLib::rf(2000,90000)) : -1;
    if ($cl>=0) { $s->line('safepoint',sprintf('Safepoint "%s", Time since last: %d ns, Reaching safepoint: %d ns, Cleanup: %d ns, At safepoint: %d ns, Total: %d ns',$op,$since,$reach,$cl,$at,$reach+$cl+$at)); }
    else { $s->line('safepoint',sprintf('Safepoint "%s", Time since last: %d ns, Reaching safepoint: %d ns, At safepoint: %d ns, Total: %d ns',$op,$since,$reach,$at,$reach+$at)); } }
  else { $s->line('safepoint','Leaving safepoint region') if $o{region};
    $s->line('safepoint',sprintf('Total time for which application threads were stopped: %.7f seconds, Stopping threads took: %.7f seconds',($reach+$at)/1e9,$reach/1e9)); }
  $s->{lastsp}=$s->{t}*1000; }
sub _r { sprintf "%.3f",$_[0] }
# generic pause:  title, before, after (MB), cap, ms
sub pause { my ($s,$title,$b,$a,$ms,%o)=@_; my $id=$o{id}//$s->nid; my $cap=$o{cap}//$s->{cap}; $ms=_r($ms);
  $s->line('gc,start',"GC($id) $title") if $s->{d} && !$o{nostart};
  $o{pre}->($id) if $o{pre};
  $s->adv($ms);
  $o{mid}->($id) if $o{mid};
  $s->metaline($id,$o{meta}) if $o{metaline};
  $s->line('gc',sprintf("GC(%d) %s%s %dM->%dM(%dM) %sms",$id,$title,$o{suffix}//'',$b,$a,$cap,$ms));
  $s->{tally}->ms($ms, full=>$o{full}) unless $o{nested};
  $s->{tally}{full}++ if $o{nested} && $o{full};
  $s->cpuline($id,$ms,$o{thr}) unless $o{nocpu};
  $s->safepoint($o{op}//'G1CollectForAllocation',$ms,%{$o{spo}//{}}) unless $o{nested};
  return $id; }

# ---- G1
sub g1_init { my ($s,%o)=@_; my $j=$s->{jdk}; my $h=$o{heap}//$s->{cap};
  if ($j<16) { $s->adv(9); $s->line('gc,heap',"Heap region size: $s->{rs}M") if $s->{d}; $s->adv(4); $s->line('gc','Using G1');
    $s->line('gc,heap,coops',sprintf("Heap address: 0x%016x, size: %d MB, Compressed Oops mode: Zero based, Oop shift amount: 3",0x800000000-$h*1048576,$h)) if $s->{d}; return $s; }
  $s->adv(6); $s->line('gc,init','CardTable entry size: 512') if $s->{d} && $j>=18;
  $s->line('gc','Using G1'); return $s unless $s->{d} || $o{init};
  $s->adv(2); my $v = $o{version}//{17=>'17.0.10+7-LTS',21=>'21.0.2+13-LTS',25=>'25.0.1+8-LTS'}->{$j};
  $s->line('gc,init',$_) for "Version: $v (release)",'CPUs: '.($o{cpus}//8).' total, '.($o{cpus}//8).' available','Memory: 31832M','Large Page Support: Disabled','NUMA Support: Disabled','Compressed Oops: Enabled (Zero based)',
    "Heap Region Size: $s->{rs}M",'Heap Min Capacity: '.($o{min}//$h).'M','Heap Initial Capacity: '.($o{ini}//$h).'M',"Heap Max Capacity: ${h}M",'Pre-touch: Disabled',"Parallel Workers: $s->{threads}",'Concurrent Workers: '.max(1,int($s->{threads}/4)),"Concurrent Refinement Workers: $s->{threads}",'Periodic GC: '.($o{periodic}//'Disabled');
  return $s; }
sub g1_young { my ($s,$kind,$cause,$b,$a,$ms,%o)=@_; my $j=$s->{jdk};
  my $title = $j<11 ? ($kind eq 'Concurrent Start' ? "Pause Initial Mark ($cause)" : $kind eq 'Mixed' ? "Pause Mixed ($cause)" : "Pause Young ($cause)") : "Pause Young ($kind) ($cause)";
  my $suffix = $o{evac} ? ($j>=22 ? ' (Evacuation Failure: Allocation)' : ' (Evacuation Failure)') : '';
  my $rg=$o{rg};
  return $s->pause($title,$b,$a,$ms, suffix=>$suffix, cap=>$o{cap}, op=>'G1CollectForAllocation', spo=>$o{spo}, metaline=>1, meta=>$o{meta},
    pre=>sub { my $id=shift; $s->line('gc,task',"GC($id) Using $s->{threads} workers of $s->{threads} for evacuation") if $s->{d}; },
    mid=>sub { my $id=shift;
      $s->line('gc',"GC($id) To-space exhausted") if $o{tospace};
      return unless $s->{d};
      if ($j<22) { my $e=$ms*GenLib::rf(0.62,0.8);
        if ($j<20) {
          $s->line('gc,phases',sprintf("GC(%d)   Pre Evacuate Collection Set: %.1fms",$id,$ms*0.03));
          $s->line('gc,phases',sprintf("GC(%d)   Merge Heap Roots: %.1fms",$id,$ms*0.02)) if $j>=14;
          $s->line('gc,phases',sprintf("GC(%d)   Evacuate Collection Set: %.1fms",$id,$e));
          $s->line('gc,phases',sprintf("GC(%d)   Post Evacuate Collection Set: %.1fms",$id,$ms*0.11));
          $s->line('gc,phases',sprintf("GC(%d)   Other: %.1fms",$id,$ms*0.05)); } }
      if ($rg) { $s->line('gc,heap',"GC($id) Eden regions: $rg->{e0}->0($rg->{em})");
        $s->line('gc,heap',"GC($id) Survivor regions: $rg->{s0}->$rg->{s1}($rg->{sm})");
        $s->line('gc,heap',"GC($id) Old regions: $rg->{o0}->$rg->{o1}");
        $s->line('gc,heap',"GC($id) Archive regions: 0->0") if $j>=16 && $j<21;
        $s->line('gc,heap',"GC($id) Humongous regions: $rg->{h0}->$rg->{h1}"); } }); }
sub g1_full { my ($s,$cause,$b,$a,$ms,%o)=@_;
  return $s->pause("Pause Full ($cause)",$b,$a,$ms, full=>1, cap=>$o{cap}, op=>$o{op}//'G1CollectForAllocation', metaline=>1, meta=>$o{meta}, spo=>$o{spo},
   pre=>sub { my $id=shift; return unless $s->{d}; $s->line('gc,task',"GC($id) Using $s->{threads} workers of $s->{threads} for full compaction");
     my @w=(0.42,0.2,0.2,0.17); my $n=0; my $t=$s->{t};
     for my $ph ('Mark live objects','Prepare for compaction','Adjust pointers','Compact heap') { my $d=_r($ms*$w[$n++]); $s->line('gc,phases,start',"GC($id) Phase $n: $ph"); $s->adv($d); $s->line('gc,phases',"GC($id) Phase $n: $ph ${d}ms"); }
     $s->{t}=$t; $s->{full_t}=$t+int($ms*990); }); }
# remark and cleanup of a concurrent cycle; $b: heap at that time; $freed at remark
sub g1_cycle_begin { my ($s)=@_; my $id=$s->nid; $s->{cyc}={id=>$id,t=>$s->{t}}; my $n=$s->{jdk}<17?'Concurrent Cycle':'Concurrent Mark Cycle'; $s->line('gc',"GC($id) $n");
  if ($s->{d}) { $s->line('gc,marking',"GC($id) Concurrent Clear Claimed Marks"); $s->adv(0.061); $s->line('gc,marking',"GC($id) Concurrent Clear Claimed Marks 0.061ms");
    $s->line('gc,marking',"GC($id) Concurrent Scan Root Regions"); $s->adv(2.418); $s->line('gc,marking',"GC($id) Concurrent Scan Root Regions 2.418ms");
    $s->{cyc}{m}=$s->{t}; $s->line('gc,marking',$s->{jdk}<17?sprintf("GC(%d) Concurrent Mark (%.3fs)",$id,$s->upms/1000):"GC($id) Concurrent Mark"); $s->line('gc,marking',"GC($id) Concurrent Mark From Roots");
    $s->line('gc,task',"GC($id) Using ".max(1,int($s->{threads}/4))." workers of ".max(1,int($s->{threads}/4))." for marking"); }
  return $id; }
sub g1_cycle_end { my ($s,$b,$free,%o)=@_; my $c=$s->{cyc}; my $id=$c->{id}; my $cap=$o{cap}//$s->{cap};
  if ($s->{d}) { my $m=_r(($s->{t}-$c->{m})/1000); $s->line('gc,marking',"GC($id) Concurrent Mark From Roots ${m}ms"); $s->line('gc,marking',"GC($id) Concurrent Preclean"); $s->adv(0.311); $s->line('gc,marking',"GC($id) Concurrent Preclean 0.311ms");
    if ($s->{jdk}<17) { $s->line('gc,marking',sprintf("GC(%d) Concurrent Mark (%.3fs, %.3fs) %.3fms",$id,int($c->{m}/1000)/1000,$s->upms/1000,($s->{t}-$c->{m})/1000)); } }
  my $r=GenLib::rf($o{r0}//1.2,$o{r1}//6); my $a=$b-$free;
  $s->pause('Pause Remark',$b,$a,$r,id=>$id,cap=>$cap,op=>$s->{jdk}>=21?'G1PauseRemark':'G1Concurrent');
  if ($s->{d}) { $s->line('gc,marking',sprintf("GC(%d) Concurrent Mark %.3fms",$id,($s->{t}-$c->{m})/1000)) if $s->{jdk}>=17;
    $s->line('gc,marking',"GC($id) Concurrent Rebuild Remembered Sets"); my $rb=_r(GenLib::rf(8,40)); $s->adv($rb); $s->line('gc,marking',"GC($id) Concurrent Rebuild Remembered Sets ${rb}ms"); } else { $s->adv(GenLib::rf(8,40)); }
  $s->pause('Pause Cleanup',$a,$a,GenLib::rf(0.06,0.6),id=>$id,cap=>$cap,op=>$s->{jdk}>=21?'G1PauseCleanup':'G1Concurrent');
  if ($s->{d}) { $s->line('gc,marking',"GC($id) Concurrent Cleanup for Next Mark"); my $x=_r(GenLib::rf(1,9)); $s->adv($x); $s->line('gc,marking',"GC($id) Concurrent Cleanup for Next Mark ${x}ms"); }
  my $n=$s->{jdk}<17?'Concurrent Cycle':'Concurrent Mark Cycle'; $s->line('gc',sprintf("GC(%d) %s %.3fms",$id,$n,($s->{t}-$c->{t})/1000)); delete $s->{cyc}; return $a; }
# A G1 run. young: MB of eden, alloc(t): MB/s, promo(t): MB promoted at each young pause, live(t): what old really needs,
# mark: MB of old use that starts a cycle, until: s, pausef: ms
sub g1_run { my ($s,%o)=@_; my $old=$o{old}//20; my $sv=$o{sv}//4; my $young=$o{young}; my $mixed=0; my $state='n'; my $rs=$s->{rs}; my $hum=$o{hum}//0; my $n=0; my @floor;
  while (1) { my $t=$s->now; my $rate=ref $o{alloc}?$o{alloc}->($t):$o{alloc}; my $y = ref $young ? $young->($t) : $young; $y=int($y*GenLib::rf(0.94,1.0)/$rs)*$rs; { my $cp=ref $o{cap}?$o{cap}->($t):($o{cap}//$s->{cap}); my $room=int(($cp-$old-$sv-6)/$rs)*$rs; $y=$room if $y>$room; $y=$rs if $y<$rs; }
    $s->adv(1000*$y/$rate*GenLib::rf(0.9,1.1)); last if $s->now>$o{until}; last if $o{max} && $n>=$o{max}; $n++;
    my $promo=ref $o{promo}?$o{promo}->($s->now):$o{promo}; $promo=int($promo*GenLib::rf(0.6,1.4)+0.5);
    my $b=int($old+$sv+$y); my $ns=GenLib::rint($o{s0}//3,$o{s1}//9); my $kind='Normal'; my $o0=$old; my $s0=$sv;
    if ($state eq 'm' && $mixed>0) { my $live=$o{live}->($s->now); my $gain=($old-$live)/($mixed+0.4); $gain=0 if $gain<0; $kind='Mixed'; $old=int($old+$promo-$gain); $old=int($live) if $old<$live; $mixed--; $state='n' if $mixed==0; }
    elsif ($state eq 'p') { $kind='Prepare Mixed'; $old+=$promo; $state='m'; $mixed=$o{mixes}//4; }
    elsif ($state eq 'n' && $old+$promo>$o{mark} && $old-$o{live}->($s->now) > ($o{gap}//20)) { $kind='Concurrent Start'; $old+=$promo; }
    else { $old+=$promo; }
    if ($s->{jdk}<11 && $kind eq 'Prepare Mixed') { $kind='Normal'; }
    $sv=$ns; my $a=int($old+$sv); my $ms=$o{pausef}->($y,$promo+$ns,$kind); my $cap=ref $o{cap}?$o{cap}->($s->now):($o{cap}//$s->{cap}); $a=$b if $a>$b; 
    my $rg={ e0=>int($y/$rs), em=>int($y/$rs), s0=>int($s0/$rs)+1, s1=>int($sv/$rs)+1, sm=>int($y/$rs/8)+1, o0=>int($o0/$rs)+1, o1=>int($old/$rs)+1, h0=>$hum, h1=>$hum };
    my $meta = $o{metaf} ? $o{metaf}->($s->now) : undef;
    $s->g1_young($kind,$o{cause}//'G1 Evacuation Pause',$b,$a,$ms,cap=>$cap,rg=>$rg,meta=>$meta,spo=>$o{spo}?$o{spo}->():undef);
    push @floor,$a; $old=$a-$sv;
    if ($kind eq 'Concurrent Start') { $s->g1_cycle_begin; $s->adv($o{markms}//GenLib::rf(60,220)); my $grow=int($rate*0.1); my $bb=$a+$grow; my $a2=$s->g1_cycle_end($bb,GenLib::rint(0,3),cap=>$cap); $state='p'; 
       $o{after_cycle}->($s) if $o{after_cycle}; }
    $o{each}->($s,$n,\$old,\$sv) if $o{each};
  }
  return ($old,$sv,\@floor); }

# ---- Serial, Parallel, CMS under unified logging: K of the generations given, M for the heap computed from K
sub gen_init { my ($s,$name,%o)=@_; $s->adv(5); $s->line('gc',"Using $name");
  if ($s->{jdk}>=16 && ($s->{d}||$o{init})) { my $v={17=>'17.0.10+7-LTS',21=>'21.0.2+13-LTS',25=>'25.0.1+8-LTS'}->{$s->{jdk}}; $s->adv(1);
    $s->line('gc,init',$_) for "Version: $v (release)",'CPUs: '.($o{cpus}//2).' total, '.($o{cpus}//2).' available','Memory: '.($o{mem}//2048).'M','Large Page Support: Disabled','NUMA Support: Disabled','Compressed Oops: Enabled (32-bit)',"Heap Min Capacity: $o{heap}M","Heap Initial Capacity: $o{heap}M","Heap Max Capacity: $o{heap}M",'Pre-touch: Disabled';
    $s->line('gc,init',"Parallel Workers: $s->{threads}") if $name eq 'Parallel'; }
  elsif ($s->{d}) { $s->line('gc,heap,coops',sprintf("Heap address: 0x%016x, size: %d MB, Compressed Oops mode: 32-bit",0x100000000-$o{heap}*1048576,$o{heap})); }
  return $s; }
sub gen_heap { my ($s,$id,$yn,$on,$y0,$y1,$yc,$o0,$o1,$oc)=@_; return unless $s->{d}; $s->line('gc,heap',"GC($id) $yn: ${y0}K->${y1}K(${yc}K)"); $s->line('gc,heap',"GC($id) $on: ${o0}K->${o1}K(${oc}K)"); }

# ------------------------------------------------------------------ JDK 8 and before
package E;
sub new { my ($c,%o)=@_; return bless { t=>0, start=>$o{start}//1709633472000, off=>$o{off}//0, date=>$o{date}//1, up=>$o{up}//1, out=>[], tally=>$o{tally}//Tally->new, threads=>$o{threads}//4, starved=>$o{starved}//0, meta=>$o{meta}//36000, mres=>$o{mres}//1081344, tail=>$o{tail}//' ', stop=>$o{stop}//0 }, $c; }
sub adv { my ($s,$ms)=@_; $s->{t}+=int($ms*1000+0.5); return $s; }
sub now { $_[0]{t}/1e6 }
sub upms { int($_[0]{t}/1000) }
sub st { my ($s,$t)=@_; $t//=$s->{t}; my $ms=int($t/1000); my $r=''; $r.=GenLib::iso8601($s->{start}+$ms,$s->{off}).': ' if $s->{date}; $r.=sprintf("%.3f: ",$ms/1000) if $s->{up}; return $r; }
sub put { my ($s,$txt,$t)=@_; $t//=$s->{t}; push @{$s->{out}},[int($t/1000),$txt]; return $s; }
sub text { join('',map{"$_->[1]\n"}@{$_[0]{out}}) }
# only lines with a stamp count for the duration
sub dur { my $s=shift; my @o=grep { $_->[1] =~ /^(?:\d{4}-\d\d-\d\dT|\d+\.\d{3}: )/ } @{$s->{out}}; return sprintf("%.3f",($o[-1][0]-$o[0][0])/1000); }
sub sec7 { sprintf "%.7f",$_[0]/1000 }
sub times { my ($s,$ms,$thr)=@_; $thr//=$s->{threads}; my $r=$ms/1000; my ($u,$y);
  if ($s->{starved}) { $u=$r*GenLib::rf(0.06,0.18); $y=$r*GenLib::rf(0,0.02); } else { $u=$r*$thr*GenLib::rf(0.7,0.93); $y=$r*GenLib::rf(0,0.1); }
  return sprintf("[Times: user=%.2f sys=%.2f, real=%.2f secs]%s",$u,$y,$r,$s->{tail}); }
sub header { my ($s,%o)=@_; my $win=$o{win};
  $s->put(sprintf('OpenJDK 64-Bit Server VM (%s) for %s JRE (%s), built on %s by "%s" with %s', $o{vm}//'25.392-b08', $win?'windows-amd64':'linux-amd64', $o{jre}//'1.8.0_392-b08', $o{built}//'Oct 16 2023 21:03:11', $o{by}//'builder', $win?'MS VC++ 15.9 (VS2017)':'gcc 7.5.0'));
  $s->put('Memory: 4k page, physical '.($o{phys}//16331868).'k('.($o{free}//9120484).'k free), swap '.($o{swap}//2097148).'k('.($o{swap}//2097148).'k free)');
  $s->put('CommandLine flags: '.$o{flags}.' '); return $s; }
sub stopped { my ($s,$ms,$reach)=@_; $reach//=GenLib::rf(0.02,0.12); $s->put(sprintf("%sTotal time for which application threads were stopped: %s seconds, Stopping threads took: %s seconds",$s->st,sec7($ms),sec7($reach))); }
sub alloc { my ($s,$h0,$h1)=@_; my $l=$s->{lasth}//0; $s->{tally}{alloc}+=$h0-$l; $s->{lasth}=$h1; }
sub par_young { my ($s,$cause,$y0,$y1,$yc,$h0,$h1,$hc,$ms,%o)=@_; my $t=$s->{t}; my $sec=sec7($ms); $s->alloc($h0,$h1);
  my $fail=$o{fail}?'--':'';
  $s->put($s->st($t)."[GC ($cause) ${fail}[PSYoungGen: ${y0}K->${y1}K(${yc}K)] ${h0}K->${h1}K(${hc}K), $sec secs] ".$s->times($ms),$t);
  $s->{tally}->secs($sec); $s->adv($ms); $s->stopped($ms+GenLib::rf(0.08,0.3)) if $s->{stop}; }
sub par_full { my ($s,$cause,$y0,$y1,$yc,$o0,$o1,$oc,$hc,$ms,%o)=@_; my $t=$s->{t}; my $sec=sec7($ms); my $h0=$y0+$o0; my $h1=$y1+$o1; $s->alloc($h0,$h1); my $m0=$s->{meta}; my $m1=$o{meta}//$m0; $s->{meta}=$m1;
  my $perm = $o{perm} ? "[PSPermGen: ${m0}K->${m1}K($o{perm}K)]" : undef;
  my $tail = $perm ? " $perm, $sec secs] " : ", [Metaspace: ${m0}K->${m1}K(".($o{mres}//$s->{mres})."K)], $sec secs] ";
  $s->put($s->st($t)."[Full GC ($cause) [PSYoungGen: ${y0}K->${y1}K(${yc}K)] [ParOldGen: ${o0}K->${o1}K(${oc}K)] ${h0}K->${h1}K(${hc}K)".$tail.$s->times($ms),$t);
  $s->{tally}->secs($sec,full=>1); $s->adv($ms); $s->stopped($ms+GenLib::rf(0.08,0.3)) if $s->{stop}; }
sub alloc_mb { my $s=shift; my $x=sprintf("%.4f",$s->{tally}{alloc}/1024); $x=~s/0+$//; $x=~s/\.$//; return $x; }
# CMS pieces
sub parnew { my ($s,$cause,$y0,$y1,$yc,$h0,$h1,$hc,$ms,%o)=@_; my $t=$s->{t}; my $sec=sec7($ms); my $in=sec7($ms-0.08); $s->alloc($h0,$h1);
  $s->put($s->st($t)."[GC ($cause) ".$s->st($t)."[ParNew: ${y0}K->${y1}K(${yc}K), $in secs] ${h0}K->${h1}K(${hc}K), $sec secs] ".$s->times($ms),$t);
  $s->{tally}->secs($sec); $s->adv($ms); $s->stopped($ms+GenLib::rf(0.08,0.3)) if $s->{stop}; }
sub cms_initial { my ($s,$o0,$oc,$h0,$hc,$ms)=@_; my $sec=sec7($ms); $s->put($s->st."[GC (CMS Initial Mark) [1 CMS-initial-mark: ${o0}K(${oc}K)] ${h0}K(${hc}K), $sec secs] ".$s->times($ms)); $s->{tally}->secs($sec); $s->adv($ms); $s->stopped($ms+GenLib::rf(0.08,0.3)) if $s->{stop}; }
sub conc { my ($s,$name,$ms)=@_; $s->put($s->st."[CMS-concurrent-$name-start]"); $s->adv($ms); $s->put($s->st.sprintf("[CMS-concurrent-%s: %.3f/%.3f secs] ",$name,$ms/1000*0.97,$ms/1000).$s->times($ms,1)); }
sub remark { my ($s,$yg,$yc,$o0,$oc,$h0,$hc,$ms)=@_; my $t=$s->{t}; my $sec=sec7($ms); my $x=$s->st($t);
  $s->put($x."[GC (CMS Final Remark) [YG occupancy: $yg K ($yc K)]".$x."[Rescan (parallel) , ".sec7($ms*0.4)." secs]".$s->st($t+int($ms*400))."[weak refs processing, ".sec7($ms*0.02)." secs]".$s->st($t+int($ms*420))."[class unloading, ".sec7($ms*0.3)." secs]".$s->st($t+int($ms*720))."[scrub symbol table, ".sec7($ms*0.2)." secs]".$s->st($t+int($ms*920))."[scrub string table, ".sec7($ms*0.02)." secs][1 CMS-remark: ${o0}K(${oc}K)] ${h0}K(${hc}K), $sec secs] ".$s->times($ms),$t);
  $s->{tally}->secs($sec); $s->adv($ms); $s->stopped($ms+GenLib::rf(0.08,0.3)) if $s->{stop}; }
1;
