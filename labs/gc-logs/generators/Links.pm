# Public threads and pages whose lines showed the format of a case; appended to made-from by Case->done.
package Links;
use strict; use warnings;
my $GV161='https://github.com/chewiebug/GCViewer/issues/161';
my $BING='https://github.com/bingoogolapple/bingoogolapple.github.io/issues';
my $CAT='https://github.com/mgm3746/garbagecat/issues';
my $KIT='https://github.com/microsoft/gctoolkit';
our %LINK=(
  'c-g1-25-evacuation-failure'=>"$CAT/219",
  'c-g1-8-to-space'=>"$CAT/57",
  'c-g1-8-brief'=>"$KIT/issues/357",
  'c-cms-8-failures'=>"$KIT/pull/332 , $CAT/11",
  'c-genzgc-25-stalls'=>"$KIT/blob/main/parser/src/test/java/com/microsoft/gctoolkit/parser/GenerationalZGCParserTest.java",
  'c-native-image-22'=>'https://github.com/oracle/graal/issues/1289',
  'c-serial-21-brief'=>'https://github.com/ev3dev-lang-java/ev3dev-lang-java/issues/611',
  'c-parallel-17-details'=>'https://github.com/oracle/graal/issues/2129',
  'c-parallel-8'=>"$BING/184",
  'f-gz'=>"$CAT/194",
  'f-no-last-newline'=>'https://github.com/ev3dev-lang-java/ev3dev-lang-java/issues/611',
  'f-two-services'=>"$CAT/194 , $GV161",
  'f-zip'=>'https://github.com/eclipse-jifa/jifa/issues/202',
  'k-ergonomics-near-max'=>$GV161,
  'k-heap-inspection'=>'https://github.com/eostermueller/heapSpank/issues/14',
  'k-diagnostic-command'=>"$CAT/206",
  'k-last-ditch'=>"$BING/184 , $CAT/92",
  'k-live-near-max'=>'https://github.com/ev3dev-lang-java/ev3dev-lang-java/issues/611',
  'k-periodic'=>'https://openjdk.org/jeps/346',
  'k-codecache'=>'https://github.com/openjdk/jdk/pull/21084',
  'k-g1-compaction'=>"$CAT/194",
  'k-gclocker'=>'https://github.com/LinkedInAttic/naarad/issues/296',
  'k-humongous'=>'https://github.com/SAP/SapMachine/pull/2166',
  'k-metaspace-start-17'=>"$CAT/176 , https://github.com/brianchandotcom/liferay-portal/pull/85876",
  'k-metaspace-start-8'=>"$BING/184",
  'k-system-gc-hourly'=>'https://github.com/apache/james-project/pull/1067',
  'k-system-gc-often'=>'https://github.com/eclipse-jifa/jifa/issues/202',
  'm-android'=>'https://github.com/flutter/flutter/issues/145893 , https://github.com/iBotPeaches/Apktool/issues/2092',
  's-cache-fills'=>"$CAT/194", 's-slow-leak-g1'=>"$CAT/194", 's-warm-up-levels'=>"$CAT/194", 's-heap-too-large'=>"$CAT/194",
  's-heap-too-large-8'=>$GV161, 's-sawtooth'=>$GV161, 's-warm-up-levels-8'=>$GV161, 's-slow-leak-parallel'=>$GV161, 's-starved-8'=>$GV161,
  's-metaspace-leak'=>"$BING/184 , $CAT/92",
  's-idle'=>'https://github.com/eclipse-jifa/jifa/issues/202',
  's-heap-dump-30s'=>"$CAT/206",
  'w-kubectl-prefix'=>"$CAT/194", 'w-two-pods'=>"$CAT/194", 'w-syslog'=>"$CAT/194",
  'w-service-wrapper'=>'https://github.com/MyCATApache/Mycat-Server/issues/1944',
  'w-utf16'=>"$CAT/194",
);
1;
