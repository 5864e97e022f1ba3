#!/usr/bin/perl
# Family 1: the lines of a log inside something else.
use strict; use warnings; use FindBin; use lib $FindBin::Bin; use GenLib; use Sim; use Encode; use List::Util qw(max min);
my $F=1; my ($lms,$lns)=(-1,0); sub ns6 { my $ms=shift; if ($ms!=$lms) { $lms=$ms; $lns=rint(1000,200000); } else { $lns+=rint(1100,6000); } return sprintf("%06d",$lns); }
my $GV='https://github.com/chewiebug/GCViewer/blob/develop/src/test/resources/openjdk';
sub base_g1 { my (%o)=@_; my $u=U->new(start=>$o{start}//1718009114000,jdk=>$o{jdk}//21,cap=>1024,rs=>1,details=>$o{details}//0,decor=>$o{decor}//['time','uptime','level','tags'],comma=>$o{comma}//0,sp=>$o{sp}//0,threads=>4,host=>'node-a',off=>$o{off}//0);
  $u->g1_init(heap=>1024,ini=>256,min=>8,init=>$o{init}//0);
  $u->g1_run(young=>$o{young}//420,alloc=>sub{ 70+20*sin($_[0]/40) },promo=>$o{promo}//2,live=>sub{105},mark=>$o{mark}//165,gap=>30,until=>$o{until}//700,max=>$o{max}//0,old=>100,pausef=>sub{ 3+$_[1]*0.35+rf(0,4) });
  return $u; }
sub pgt { my $d=GenLib::iso8601(shift,0); $d=~s{T}{ }; $d=~s{\+0000$}{}; return $d; }
sub base_par17 { my (%o)=@_; my $u=U->new(start=>1719476002000,jdk=>17,details=>1,threads=>2,decor=>['uptime','level','tags'],%o); $u->gen_init('Parallel',heap=>512,cpus=>2);
  Sim::uni_run($u,type=>'Parallel',eden=>131072,sv=>21504,oc=>349696,alloc=>24,promo=>5200,live=>sub{88000},fullat=>0.93,until=>$o{until}//330,old=>21000,pausef=>sub{4+$_[0]/1700},fullms=>sub{60+$_[0]/900}); return $u; }

# --- docker json-file, seen
srnd(101); { my $u=base_g1(); my $o='';
  for my $l (@{$u->{out}}) { my $t=GenLib::iso8601($u->{start}+$l->[0]+1,0); $t=~s/\+0000$/ns6($l->[0]).q(Z)/e; my $m=$l->[1]; $m=~s/(["\\])/\\$1/g; $o.=qq({"log":"$m\\n","stream":"stdout","time":"$t"}\n); }
  Case->new('seen','w-docker-json',family=>$F,story=>'A G1 log of JDK 21 in the container\'s json-file log',
   'made-from'=>'docker json-file driver https://docs.docker.com/engine/logging/drivers/json-file/ ; lines as in https://github.com/microsoft/gctoolkit/issues/445 and gctoolkit G1 tests',
   files=>['app-json.log'],collector=>'G1',exit=>0)->file('app-json.log',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur,'must-not-say'=>['leak','full collections are a problem']); }

# --- compose prefix with colours and another service between, held back
srnd(102); { my $u=base_g1(jdk=>17,decor=>['uptime','level','tags'],until=>600); my $o=''; my $k=0;
  for my $l (@{$u->{out}}) { for (1..rint(0,2)) { $o.="\e[33mdb_1   |\e[0m ".pgt($u->{start}+$l->[0])." UTC [".rint(30,90)."] LOG:  checkpoint complete: wrote ".rint(10,900)." buffers\n"; }
    $o.="\e[36mapp_1  |\e[0m $l->[1]\n"; }
  Case->new('held-back','w-compose-colour',family=>$F,story=>'docker-compose output of two services with colours; one of them is a JVM with G1',
   'made-from'=>'docker compose logs (service prefix, ANSI colours) https://docs.docker.com/reference/cli/docker/compose/logs/ ; G1 lines as in JDK 17',
   files=>['compose.txt'],collector=>'G1',exit=>0)->file('compose.txt',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- kubectl logs --timestamps, seen
srnd(103); { my $u=base_par17(); my $o='';
  for my $l (@{$u->{out}}) { my $t=GenLib::iso8601($u->{start}+$l->[0],0); $t=~s/\+0000$/ns6($l->[0]).q(Z)/e; $o.="$t $l->[1]\n"; }
  Case->new('seen','w-kubectl-timestamps',family=>$F,story=>'kubectl logs --timestamps of a pod with the parallel collector, full details',
   'made-from'=>"kubectl logs --timestamps https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/ ; $GV/unified-jvm-logging/sample-ujl-parallel-gc-all,safepoint,os+cpu.txt",
   files=>['pod.log'],collector=>'Parallel',jdk=>17,exit=>0)->file('pod.log',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- kubectl --prefix, seen; two pods in one file, held back
srnd(104); { my $u=base_g1(decor=>['time','level','tags'],until=>520); my $o=''; for my $l (@{$u->{out}}) { $o.="[pod/orders-6f7c9d5b8-x2x4q/orders] $l->[1]\n"; $o.="[pod/orders-6f7c9d5b8-x2x4q/sidecar] level=info msg=\"probe ok\" n=".rint(1,99)."\n" if rnd()<0.4; }
  Case->new('seen','w-kubectl-prefix',family=>$F,story=>'kubectl logs --prefix --all-containers: a JVM and a sidecar','made-from'=>'kubectl logs --prefix https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/',
   files=>['all-containers.log'],collector=>'G1',exit=>0)->file('all-containers.log',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }
srnd(105); { my $p1=base_g1(start=>1718009114000,decor=>['time','uptime','level','tags'],until=>420); my $p2=base_g1(start=>1718009119450,decor=>['time','uptime','level','tags'],until=>430,promo=>4); my @l;
  push @l,[$p1->{start}+$_->[0],"[pod/orders-6f7c9d5b8-x2x4q/orders] $_->[1]",0] for @{$p1->{out}}; push @l,[$p2->{start}+$_->[0],"[pod/orders-6f7c9d5b8-kk81p/orders] $_->[1]",1] for @{$p2->{out}};
  my $i=0; @l=map{$_->[0]} sort { $a->[0][0]<=>$b->[0][0] || $a->[1]<=>$b->[1] } map{[$_,$i++]} @l; my $o=join('',map{"$_->[1]\n"}@l); my $dur=sprintf("%.3f",($l[-1][0]-$l[0][0])/1000);
  my $t=Tally->new->add($p1->{tally})->add($p2->{tally});
  Case->new('held-back','w-two-pods',family=>$F,story=>'kubectl logs -l app=orders --prefix: two JVMs of two pods, interleaved line by line','made-from'=>'kubectl logs --prefix with a selector https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/',
   files=>['two-pods.log'],collector=>'G1',exit=>0,'must-say'=>['two JVMs (two pods) are in this file; their lines are mixed'],'must-not-say'=>['the JVM restarted many times','the heap shrank and grew between single lines'])->file('two-pods.log',$o)->done($t->truth,'duration-s'=>$dur); }

# --- CRI, seen
srnd(106); { my $u=U->new(start=>1715763600000,jdk=>11,details=>1,threads=>1,decor=>['time','uptime','level','tags']); $u->gen_init('Serial',heap=>256);
  Sim::uni_run($u,type=>'Serial',eden=>69952,sv=>8704,oc=>174784,alloc=>9,promo=>6100,live=>sub{61000},fullat=>0.97,nested=>1,until=>420,old=>30000,pausef=>sub{6+$_[0]/900},fullms=>sub{70+$_[0]/700});
  my $o=''; for my $l (@{$u->{out}}) { my $t=GenLib::iso8601($u->{start}+$l->[0],120); $t=~s/\+0200$/ns6($l->[0]).q(+02:00)/e; $o.="$t stdout F $l->[1]\n"; }
  Case->new('seen','w-cri',family=>$F,story=>'/var/log/pods file of a node (CRI format): serial collector of JDK 11, full collections inside young pauses','made-from'=>"CRI log format https://kubernetes.io/docs/concepts/cluster-administration/logging/ ; $GV/unified-jvm-logging/sample-ujl-serial-gc-all,safepoint,os+cpu.txt",
   files=>['0.log'],collector=>'Serial',exit=>0)->file('0.log',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- journald, held back
srnd(107); { my $e=E->new(start=>1709547072000,threads=>4,date=>1,up=>1); $e->header(flags=>'-XX:InitialHeapSize=536870912 -XX:MaxHeapSize=536870912 -XX:+PrintGC -XX:+PrintGCDateStamps -XX:+PrintGCDetails -XX:+PrintGCTimeStamps -XX:+UseCompressedClassPointers -XX:+UseCompressedOops -XX:+UseParallelGC');
  $e->adv(2100); Sim::par8($e,eden=>131584,sv=>21504,oc=>349696,alloc=>17,promo=>3900,live=>sub{70000},fullat=>0.9,until=>900,pausef=>sub{4+$_[0]/2100},fullms=>sub{90+$_[0]/1000});
  my $o=''; my @m=qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec); for my $l (@{$e->{out}}) { my @g=gmtime(int(($e->{start}+$l->[0])/1000)); $o.=sprintf("%s %02d %02d:%02d:%02d node-a java[812]: %s\n",$m[$g[4]],$g[3],@g[2,1,0],$l->[1]); }
  Case->new('held-back','w-journald',family=>$F,story=>'journalctl -u of a JDK 8 service that writes its collections to stdout','made-from'=>"journalctl short output https://www.freedesktop.org/software/systemd/man/latest/journalctl.html ; $GV/SampleSun1_8_0ParallelPrintHeapAtGC.txt",
   files=>['journal.txt'],collector=>'Parallel',jdk=>8,exit=>0)->file('journal.txt',$o)->done($e->{tally}->truth,'duration-s'=>$e->dur,'allocated-mb'=>$e->alloc_mb); }

# --- syslog RFC 5424, seen
srnd(108); { my $u=base_g1(jdk=>11,decor=>['uptime','level','tags'],until=>640); my $o=''; for my $l (@{$u->{out}}) { my $t=GenLib::iso8601($u->{start}+$l->[0],0); $t=~s/\+0000$/substr(ns6($l->[0]),0,3).q(+00:00)/e; $o.="<134>1 $t node-a orders 812 - - $l->[1]\n"; }
  Case->new('seen','w-syslog',family=>$F,story=>'Lines that came through syslog (RFC 5424)','made-from'=>'RFC 5424 https://www.rfc-editor.org/rfc/rfc5424 ; G1 of JDK 11 with -Xlog:gc',files=>['syslog.1'],collector=>'G1',exit=>0)->file('syslog.1',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- grep --color=always, seen
srnd(109); { my $u=base_g1(jdk=>17,details=>1,decor=>['uptime','level','tags'],until=>900); my $o=''; my @k; for my $l (@{$u->{out}}) { next unless $l->[1]=~/Pause.*ms$/; push @k,$l; my $x=$l->[1]; $x=~s/Pause/\e[01;31m\e[KPause\e[m\e[K/; $o.="$x\n"; }
  Case->new('seen','w-grep-colour',family=>$F,story=>'grep --color=always "Pause.*ms" gc.log > sent.txt: only the result lines, with colour codes inside','made-from'=>'GNU grep --color=always (GREP_COLORS, 01;31 and \\33[K) https://www.gnu.org/software/grep/manual/grep.html',
   files=>['sent.txt'],collector=>'G1',exit=>0)->file('sent.txt',$o)->done($u->{tally}->truth,'duration-s'=>sprintf("%.3f",($k[-1][0]-$k[0][0])/1000)); }

# --- filebeat JSON, held back
srnd(110); { my $u=base_g1(jdk=>17,decor=>['time','uptime','level','tags'],until=>560); my $o=''; my $off=0; for my $l (@{$u->{out}}) { my $t=GenLib::iso8601($u->{start}+$l->[0]+900,0); $t=~s/\+0000$/Z/; my $m=$l->[1]; $m=~s/(["\\])/\\$1/g;
   $o.=qq({"\@timestamp":"$t","\@metadata":{"beat":"filebeat","type":"_doc","version":"8.12.2"},"log":{"offset":$off,"file":{"path":"/var/log/app/gc.log"}},"message":"$m","input":{"type":"filestream"},"agent":{"type":"filebeat","version":"8.12.2"},"host":{"name":"node-a"}}\n); $off+=length($l->[1])+1; }
  Case->new('held-back','w-filebeat',family=>$F,story=>'A log shipper\'s JSON, the line in the field message','made-from'=>'Filebeat file output https://www.elastic.co/docs/reference/beats/filebeat/file-output',files=>['filebeat.ndjson'],collector=>'G1',exit=>0)->file('filebeat.ndjson',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- program's own lines between, held back
srnd(111); { my $u=U->new(start=>1718352000000,jdk=>21,cap=>512,rs=>1,decor=>['uptime','level','tags'],threads=>2); $u->adv(3); $u->g1_init(heap=>512);
  $u->g1_run(young=>190,alloc=>26,promo=>1.4,live=>sub{90},mark=>300,until=>520,old=>40,pausef=>sub{2+$_[1]*0.5+rf(0,3)}); my @o; my $p=0;
  for my $l (@{$u->{out}}) { for (1..rint(2,5)) { push @o,Sim::applog($u->{start}+$p+int(($l->[0]-$p)*$_/6)); } if (rnd()<0.12) { push @o,'java.util.concurrent.TimeoutException: call took longer than 2000 ms',"\tat c.e.orders.PriceService.load(PriceService.java:118)","\tat java.base/java.lang.Thread.run(Thread.java:1583)"; push @o,'[info] GC settings page requested, 1 of 3 [gc]'; } push @o,$l->[1]; $p=$l->[0]; }
  Case->new('held-back','w-app-lines-between',family=>$F,story=>'stdout of a Spring program: its own lines, stack traces and the collector\'s lines','made-from'=>'Spring Boot console format https://docs.spring.io/spring-boot/reference/features/logging.html ; -Xlog:gc on stdout',files=>['console.log'],collector=>'G1',exit=>0)->file('console.log',join('',map{"$_\n"}@o))->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- Windows line ends and BOM, seen ; UTF-16, seen
srnd(112); { my $e=E->new(start=>1707213600000,off=>60,threads=>8,tail=>' '); $e->header(win=>1,flags=>'-XX:InitialHeapSize=2147483648 -XX:MaxHeapSize=2147483648 -XX:+PrintGC -XX:+PrintGCDateStamps -XX:+PrintGCTimeStamps -XX:+UseCompressedClassPointers -XX:+UseCompressedOops -XX:-UseLargePagesIndividualAllocation -XX:+UseParallelGC');
  my ($y,$old,$yc,$oc)=(0,0,611840,1398272); my $hc=$yc+$oc; my $fullat=0.5; my $n=0;
  while ($n<60) { $e->adv(rf(7000,15000)); my $h0=$old+$y+524800; my $ny=rint(9000,40000); $old+=rint(2000,9000); my $h1=$old+$ny; my $ms=6+($ny)/4200+rf(0,5); my $s7=E::sec7($ms); $e->put($e->st."[GC (Allocation Failure)  ${h0}K->${h1}K(${hc}K), $s7 secs]"); $e->{tally}->secs($s7); $e->alloc($h0,$h1); $e->adv($ms); $y=$ny; $n++;
    if ($n%25==0) { my $b=$old+$y; $old=int(66000+$n*20); my $m2=190+rf(0,40); my $s=E::sec7($m2); $e->put($e->st."[Full GC (System.gc())  ${b}K->${old}K(${hc}K), $s secs]"); $e->{tally}->secs($s,full=>1); $e->alloc($b,$old); $e->adv($m2); $y=0; } }
  my $o="\xEF\xBB\xBF".join('',map{"$_->[1]\r\n"}@{$e->{out}});
  Case->new('seen','w-crlf-bom',family=>$F,story=>'A file saved with a Windows editor: byte order mark and CR LF; JDK 8, only -XX:+PrintGC','made-from'=>"$GV/SampleSun1_8_0RollingLogfile.txt (Windows header); brief lines as in https://github.com/oracle/graal/pull/1785",
   files=>['gc.log'],collector=>'Parallel',jdk=>8,exit=>0,'must-say'=>['System.gc() was called: two full collections'],'must-not-say'=>['leak'])->file('gc.log',$o)->done($e->{tally}->truth,'duration-s'=>$e->dur,'allocated-mb'=>$e->alloc_mb); }
srnd(113); { my $u=base_g1(jdk=>21,decor=>['uptime','level','tags'],until=>480); my $o="\xFF\xFE".encode('UTF-16LE',join('',map{"$_->[1]\r\n"}@{$u->{out}}));
  Case->new('seen','w-utf16',family=>$F,story=>'java -Xlog:gc -jar app.jar > gc.txt in Windows PowerShell: UTF-16 with byte order mark','made-from'=>'Out-File of Windows PowerShell 5.1 writes UTF-16LE https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding',
   files=>['gc.txt'],collector=>'G1',exit=>0)->file('gc.txt',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- decorations: many, none, level and tags
srnd(114); { my $u=base_g1(jdk=>17,details=>1,decor=>['time','uptimemillis','hostname','pid','tid','level','tags'],until=>120); 
  Case->new('seen','w-decor-many',family=>$F,story=>'-Xlog:gc*:file=gc.log:time,uptimemillis,hostname,pid,tid,level,tags','made-from'=>'decorations of -Xlog https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html#enable-logging-with-the-jvm-unified-logging-framework',
   files=>['gc.log'],collector=>'G1',jdk=>17,exit=>0)->file('gc.log',$u->text)->done($u->{tally}->truth,'duration-s'=>$u->dur); }
srnd(115); { my $u=base_g1(jdk=>17,decor=>[],until=>600);
  Case->new('held-back','w-decor-none',family=>$F,story=>'-Xlog:gc:file=gc.log:none - no decorations at all, no instants','made-from'=>'decoration "none" of -Xlog https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html#enable-logging-with-the-jvm-unified-logging-framework ; undecorated lines as in a blog excerpt of Serial full GC (GC(0) Pause Young ...)',
   files=>['gc.log'],collector=>'G1',exit=>0,'must-say'=>['the lines carry no instants, so rates and shares of time cannot be told; add uptime to the decorations'],'must-not-say'=>['share of time in pauses as a number'])->file('gc.log',$u->text)->done($u->{tally}->truth); }
srnd(116); { my $u=base_g1(jdk=>17,details=>1,decor=>['level','tags'],until=>115);
  Case->new('seen','w-decor-level-tags',family=>$F,story=>'-Xlog:gc*:stdout:level,tags - no instants','made-from'=>'decorations of -Xlog https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html#enable-logging-with-the-jvm-unified-logging-framework',
   files=>['out.log'],collector=>'G1',jdk=>17,exit=>0,'must-say'=>['the lines carry no instants; add uptime or time'],'must-not-say'=>['share of time in pauses as a number'])->file('out.log',$u->text)->done($u->{tally}->truth); }
srnd(117); { my $u=base_g1(jdk=>11,decor=>['utctime','uptimenanos','pid','level','tags'],until=>520);
  Case->new('held-back','w-decor-nanos',family=>$F,story=>'-Xlog:gc:file=gc.log:utctime,uptimenanos,pid,level,tags','made-from'=>'decorations of -Xlog https://docs.oracle.com/en/java/javase/11/tools/java.html',
   files=>['gc.log'],collector=>'G1',exit=>0)->file('gc.log',$u->text)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- exported table with tabs, held back
srnd(118); { my $u=base_g1(jdk=>17,decor=>['uptime','level','tags'],until=>500); my $o="Time\tpod\tmessage\n"; my @r=@{$u->{out}}; for my $l (reverse @r) { my $t=GenLib::iso8601($u->{start}+$l->[0],0); $t=~s/\+0000$//; $o.="$t\torders-6f7c9d5b8-x2x4q\t$l->[1]\n"; }
  Case->new('held-back','w-export-tsv-newest-first',family=>$F,story=>'An export of a log search: three columns with tabs and a heading, newest line first','made-from'=>'export of a log viewer sorts newest first (Kibana Discover CSV report) https://www.elastic.co/docs/explore-analyze/report-and-share ; lines -Xlog:gc of JDK 17',
   files=>['export.tsv'],collector=>'G1',exit=>0,'must-not-say'=>['the JVM restarted at every line'],note=>'The order of the lines is reversed; a program that sorts by instant or says that the lines run backwards is right, one that counts a restart per line is wrong.')->file('export.tsv',$o)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- service wrapper, seen
srnd(119); { my $e=E->new(start=>1707296400000,threads=>4,date=>0,up=>1); $e->header(flags=>'-XX:InitialHeapSize=1073741824 -XX:MaxHeapSize=1073741824 -XX:+PrintGC -XX:+PrintGCDetails -XX:+PrintGCTimeStamps -XX:+UseCompressedClassPointers -XX:+UseCompressedOops -XX:+UseParallelGC');
  $e->adv(3100); Sim::par8($e,eden=>262656,sv=>43520,oc=>699392,alloc=>31,promo=>5200,live=>sub{120000},fullat=>0.92,until=>1150,pausef=>sub{6+$_[0]/2600},fullms=>sub{140+$_[0]/900});
  my $o="STATUS | wrapper  | 2024/02/07 09:00:00 | --> Wrapper Started as Daemon\nSTATUS | wrapper  | 2024/02/07 09:00:00 | Launching a JVM...\n"; for my $l (@{$e->{out}}) { my @g=gmtime(int(($e->{start}+$l->[0])/1000)); $o.=sprintf("INFO   | jvm 1    | %04d/%02d/%02d %02d:%02d:%02d | %s\n",$g[5]+1900,$g[4]+1,@g[3,2,1,0],$l->[1]); $o.=sprintf("INFO   | jvm 1    | %04d/%02d/%02d %02d:%02d:%02d | %s\n",$g[5]+1900,$g[4]+1,@g[3,2,1,0],Sim::appmsg()) if rnd()<0.3; }
  Case->new('seen','w-service-wrapper',family=>$F,story=>'wrapper.log of a Java service wrapper, JDK 8 parallel collector inside','made-from'=>'wrapper.log lines "INFO   | jvm 1    | date | text"; JDK 8 -XX:+PrintGCDetails',
   files=>['wrapper.log'],collector=>'Parallel',jdk=>8,exit=>0)->file('wrapper.log',$o)->done($e->{tally}->truth,'duration-s'=>$e->dur,'allocated-mb'=>$e->alloc_mb); }

# --- comma as decimal sign, held back
srnd(120); { my $u=base_g1(jdk=>10,decor=>['time','uptime','level','tags'],comma=>1,sp=>1,until=>300,off=>120);
  Case->new('held-back','w-comma-locale',family=>$F,story=>'A JVM with a locale that writes a decimal comma: [12,345s] and 3,496ms','made-from'=>"$GV/unified-jvm-logging/sample-ujl-safepoint-defaults.txt",
   files=>['gc.log'],collector=>'G1',exit=>0)->file('gc.log',$u->text)->done($u->{tally}->truth,'duration-s'=>$u->dur); }

# --- quoted in a mail, seen
srnd(121); { my $e=E->new(start=>1706702400000,threads=>4,date=>1,up=>1,tail=>''); $e->adv(5031000); my ($y,$o)=Sim::par8($e,eden=>262656,sv=>43520,oc=>699392,alloc=>90,promo=>24000,live=>sub{610000+($_[0]-5031)*60},fullat=>0.96,until=>5400,old=>600000,pausef=>sub{9+$_[0]/2600},fullms=>sub{700+$_[0]/900});
  my $t="Hi all,\n\nsince the last release the service is slow every few minutes, the GC log shows this:\n\n```\n".join('',map{"$_->[1]\n"}@{$e->{out}})."```\n\nIs -Xmx1g too small? It worked for a year.\n"; my $q=join('',map{$_ eq ''?">\n":"> $_\n"} split /\n/,$t,-1); $q=~s/> *\n\z//; $q=~s/>\n\z//;
  Case->new('seen','w-quoted-mail',family=>$F,story=>'An excerpt quoted in a mail ("> " before each line, in a Markdown block); old fills up and only full collections help','made-from'=>'quoting of mails and Markdown (https://spec.commonmark.org) around JDK 8 parallel lines as in https://github.com/oracle/graal/pull/1785',
   files=>['mail.txt'],collector=>'Parallel',exit=>0,'must-say'=>['the live set after full collections is near the size of the old generation'],'must-not-say'=>['no collection log'])->file('mail.txt',$q)->done($e->{tally}->truth,'duration-s'=>$e->dur); }
