curl 'https://api.brook-ai.example/v1/chat/completions' \
  -H 'accept: text/event-stream' \
  -H 'accept-language: en-GB,en;q=0.9' \
  -H 'authorization: Bearer bk-nightjar-7730' \
  -H 'content-type: application/json' \
  -b 'cf=made-up; ab=1' \
  -H 'origin: https://chat.brook-ai.example' \
  -H 'priority: u=1, i' \
  -H 'user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36' \
  --data-raw $'{"model":"brook-large","stream":true,"messages":[{"role":"user","content":"It\'s short: write a haiku\\nabout tides."}]}'

curl -N --compressed -H "Accept: text/event-stream" -H "Last-Event-ID: 17" "https://api.brook-ai.example/v1/jobs/17/events"
