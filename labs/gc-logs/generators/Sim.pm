package Sim;
# Simple heaps that the case scripts run: numbers are consistent from one collection to the next.
use strict; use warnings;
use GenLib;
use List::Util qw(max min);

# Parallel collector of JDK 8. K everywhere, alloc in MB/s.
sub par8 { my ($e,%o)=@_; my ($eden,$sv,$oc)=@o{qw(eden sv oc)}; my $yc=$eden+$sv; my $hc=$o{hc}//($yc+$oc);
  my $y=$o{y}//0; my $old=$o{old}//0; my $n=0;
  while (1) { my $t=$e->now; my $rate=ref $o{alloc}?$o{alloc}->($t):$o{alloc}; $rate=0.001 if $rate<=0;
    my $fill=int($eden*rf(0.985,1.0));
    my $wait=1000*($fill/1024)/$rate*rf(0.9,1.1);
    if ($o{events}) { while (@{$o{events}} && $o{events}[0][0] <= $e->now+$wait/1000) { my $ev=shift @{$o{events}}; my $dt=$ev->[0]-$e->now; $dt=0.05 if $dt<0.05; my $used=int($fill*min(0.95,$dt*1000/$wait)); $e->{t}=int($ev->[0]*1e6) if $ev->[0]*1e6>$e->{t}; $ev->[1]->($e,\$y,\$old,$used,$yc,$oc,$hc); $wait=1000*($fill/1024)/$rate*rf(0.9,1.1); } }
    last if $e->now+$wait/1000>$o{until}; last if $o{max}&&$n>=$o{max};
    $e->adv($wait); $n++;
    my $y0=$y+$fill; $y0=$yc if $y0>$yc; my $h0=$y0+$old;
    my $promo=ref $o{promo}?$o{promo}->($e->now):$o{promo}; $promo=int($promo*rf(0.6,1.4)); my $ny=int($sv*rf($o{sv0}//0.2,$o{sv1}//0.6));
    $promo=max(0,min($promo,$oc-$old-64)); 
    my $h1=$ny+$old+$promo; if ($h1>$h0) { $promo=max(0,$h0-$ny-$old); $h1=$ny+$old+$promo; $h1=$h0 if $h1>$h0; }
    $e->par_young($o{cause}//'Allocation Failure',$y0,$ny,$yc,$h0,$h1,$hc,$o{pausef}->($ny+$promo));
    $old=$h1-$ny; $y=$ny;
    if ($o{fullat} && $old>$o{fullat}*$oc) { $e->adv(0.4); my $live=int($o{live}->($e->now)); my $no=min($old+$y,max($live,0)); my $y1=0; if ($no>$oc) { $y1=$no-$oc; $no=$oc; $y1=$y if $y1>$y; } 
      $e->par_full($o{fullcause}//'Ergonomics',$y,$y1,$yc,$old,$no,$oc,$hc,$o{fullms}->($no)); $old=$no; $y=$y1; }
    $o{each}->($e,$n,\$y,\$old) if $o{each}; }
  return ($y,$old); }

# Serial, Parallel under unified logging (details or brief). K, alloc MB/s.
my %N=(Serial=>['DefNew','Tenured','GenCollectForAllocation'],Parallel=>['PSYoungGen','ParOldGen','ParallelGCFailedAllocation'],CMS=>['ParNew','CMS','GenCollectForAllocation']);
sub mb { int($_[0]/1024) }
sub heaplines { my ($u,$id,$type,$y0,$y1,$yc,$eden,$o0,$o1,$oc)=@_; return unless $u->{d}; my ($yn,$on)=@{$N{$type}};
  if ($u->{jdk}<14) { $u->gen_heap($id,$yn,$on,$y0,$y1,$yc,$o0,$o1,$oc); return; }
  my $sc=$yc-$eden; my $e0=min($y0,$eden); my $f0=$y0-$e0; my $e1=($y1>$sc)?$y1-$sc:0; my $f1=$y1-$e1;
  $u->line('gc,heap',"GC($id) $yn: ${y0}K(${yc}K)->${y1}K(${yc}K) Eden: ${e0}K(${eden}K)->${e1}K(${eden}K) From: ${f0}K(${sc}K)->${f1}K(${sc}K)");
  $u->line('gc,heap',"GC($id) $on: ${o0}K(${oc}K)->${o1}K(${oc}K)"); }
sub fullphases { my ($u,$id,$type,$ms)=@_; return unless $u->{d}; my $t=$u->{t};
  if ($type eq 'Parallel') { my @p=(['Marking Phase',0.33],['Summary Phase',0.001],['Adjust Roots',0.09],['Compaction Phase',0.53],['Post Compact',0.03]);
    for (@p) { my $d=sprintf("%.3f",$ms*$_->[1]); $u->line('gc,phases,start',"GC($id) $_->[0]"); $u->adv($d); $u->line('gc,phases',"GC($id) $_->[0] ${d}ms"); } }
  else { my $n=0; for (['Mark live objects',0.45],['Compute new object addresses',0.15],['Adjust pointers',0.2],['Move objects',0.19]) { $n++; my $d=sprintf("%.3f",$ms*$_->[1]); $u->line('gc,phases,start',"GC($id) Phase $n: $_->[0]"); $u->adv($d); $u->line('gc,phases',"GC($id) Phase $n: $_->[0] ${d}ms"); } }
  $u->{t}=$t; }
sub uni_young { my ($u,$type,$cause,$y0,$y1,$yc,$eden,$o0,$o1,$oc,$hc,$ms,%o)=@_;
  return $u->pause("Pause Young ($cause)",mb($y0+$o0),mb($y1+$o1),$ms,cap=>mb($hc),op=>$N{$type}[2],metaline=>1,thr=>$type eq 'Serial'?1:undef, spo=>$o{spo},
    pre=>sub { my $id=shift; $u->line('gc,task',"GC($id) Using $u->{threads} workers of $u->{threads} for evacuation") if $u->{d} && $type eq 'CMS'; },
    mid=>sub { heaplines($u,$_[0],$type,$y0,$y1,$yc,$eden,$o0,$o1,$oc); }); }
sub uni_full { my ($u,$type,$cause,$y0,$y1,$yc,$eden,$o0,$o1,$oc,$hc,$ms,%o)=@_;
  return $u->pause("Pause Full ($cause)",mb($y0+$o0),mb($y1+$o1),$ms,cap=>mb($hc),full=>1,op=>$o{op}//$N{$type}[2],metaline=>1,meta=>$o{meta},thr=>$type eq 'Parallel'?undef:1, spo=>$o{spo},
    pre=>sub { fullphases($u,$_[0],$type,$ms); }, mid=>sub { heaplines($u,$_[0],$type,$y0,$y1,$yc,$eden,$o0,$o1,$oc); }); }
# JDK 9 to 14, Serial and CMS: the full collection is inside the young pause and printed within it
sub uni_nested { my ($u,$type,$cause,$y0,$yc,$eden,$o0,$o1,$oc,$hc,$ms,%o)=@_; my $id=$u->nid; my $fid=$u->nid; my $inner=sprintf("%.3f",$ms-rf(0.08,0.4)); $ms=sprintf("%.3f",$ms);
  $u->line('gc,start',"GC($id) Pause Young ($cause)") if $u->{d};
  $u->line('gc,task',"GC($id) Using $u->{threads} workers of $u->{threads} for evacuation") if $u->{d} && $type eq 'CMS';
  $u->line('gc,start',"GC($fid) Pause Full ($cause)") if $u->{d};
  $o{inside}->() if $o{inside};
  fullphases($u,$fid,$type,$inner); $u->adv($inner);
  my ($b,$a,$c)=(mb($y0+$o0),mb($o1),mb($hc));
  $u->line('gc',"GC($fid) Pause Full ($cause) ${b}M->${a}M(${c}M) ${inner}ms"); $u->adv($ms-$inner);
  if ($u->{d}) { heaplines($u,$id,$type,$y0,0,$yc,$eden,$o0,$o1,$oc); $u->metaline($id); }
  $u->line('gc',"GC($id) Pause Young ($cause) ${b}M->${a}M(${c}M) ${ms}ms"); $u->{tally}->ms($ms,full=>1); $u->cpuline($id,$ms,1); $u->safepoint($N{$type}[2],$ms); }
sub uni_run { my ($u,%o)=@_; my $type=$o{type}; my ($eden,$sv,$oc)=@o{qw(eden sv oc)}; my $yc=$eden+$sv; my $hc=$yc+$oc; my $y=0; my $old=$o{old}//0; my $n=0;
  while (1) { my $rate=ref $o{alloc}?$o{alloc}->($u->now):$o{alloc}; my $fill=int($eden*rf(0.99,1.0)); my $wait=1000*($fill/1024)/$rate*rf(0.9,1.1);
    if ($o{events}) { while (@{$o{events}} && $o{events}[0][0] <= $u->now+$wait/1000) { my $ev=shift @{$o{events}}; my $dt=max(0.05,$ev->[0]-$u->now); my $used=int($fill*min(0.95,$dt*1000/$wait)); $u->{t}=int($ev->[0]*1e6) if $ev->[0]*1e6>$u->{t}; $ev->[1]->($u,\$y,\$old,$used,$yc,$eden,$oc,$hc); $wait=1000*($fill/1024)/$rate*rf(0.9,1.1); } }
    last if $u->now+$wait/1000>$o{until}; last if $o{max}&&$n>=$o{max}; $u->adv($wait); $n++;
    my $y0=min($yc,$y+$fill); my $promo=ref $o{promo}?$o{promo}->($u->now):$o{promo}; $promo=int($promo*rf(0.6,1.4)); my $ny=int($sv*rf($o{sv0}//0.2,$o{sv1}//0.7));
    if ($o{nested} && $old+$promo>$oc*$o{fullat}) { my $live=int($o{live}->($u->now)); uni_nested($u,$type,'Allocation Failure',$y0,$yc,$eden,$old,$live,$oc,$hc,$o{fullms}->($live)); $old=$live; $y=0; }
    else { $promo=max(0,min($promo,$oc-$old-8,$y0-$ny)); uni_young($u,$type,'Allocation Failure',$y0,$ny,$yc,$eden,$old,$old+$promo,$oc,$hc,$o{pausef}->($ny+$promo),spo=>$o{spo}?$o{spo}->():undef); $old+=$promo; $y=$ny;
      if (!$o{nested} && $o{fullat} && $old>$oc*$o{fullat}) { $u->adv(0.2); my $live=int($o{live}->($u->now)); my $no=min($oc,$live); $no=min($no,$old+$y); uni_full($u,$type,$o{fullcause}//($type eq 'Parallel'?'Ergonomics':'Allocation Failure'),$y,0,$yc,$eden,$old,$no,$oc,$hc,$o{fullms}->($no)); $old=$no; $y=0; } }
    $o{each}->($u,$n,\$y,\$old) if $o{each}; }
  return ($y,$old); }

# lines of the program itself: no personal names, no hosts
my @CLS=qw(c.e.orders.OrderController c.e.orders.PriceService o.s.web.servlet.DispatcherServlet o.h.engine.jdbc.SqlExceptionHelper c.z.hikari.pool.HikariPool c.e.report.ReportJob c.e.cache.CatalogueCache o.a.k.clients.NetworkClient);
my @MSG=('Loaded %d items in %d ms','request /api/items/%d took %d ms','pool stats: active=%d idle=%d waiting=0','job batch %d finished, %d rows','cache refresh: %d entries, %d evicted','call repeated after a timeout of %d ms','wrote %d records to partition %d');
sub appmsg { my $m=pick(@MSG); my $k=()=$m=~/%d/g; return sprintf($m,map{rint(1,900)}1..$k); }
sub applog { my ($ms,$off)=@_; my $d=GenLib::iso8601($ms,$off//0); $d=~s/T/ /; $d=~s/[+-]\d{4}$//; return sprintf("%s %-5s 1 --- [nio-8080-exec-%d] %-40s : %s",$d,pick('INFO','INFO','INFO','DEBUG','WARN'),rint(1,10),pick(@CLS),appmsg()); }
1;
