import t from 'tap'
import { describeUserAgent } from '#lib/user-agent.ts'

t.test('a session names the browser and the device', async t => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const names = {
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} CriOS/138.0.0.0 Mobile/15E148 Safari/604.1`]: 'Chrome on iPhone',
    [`Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`]: 'Safari on iPad',
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0 Mobile Safari/537.36`]: 'Chrome on Android',
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`]: 'Unknown browser on macOS',
    'curl/8.5.0': 'curl',
    '': 'Unknown device'
  }

  for (const [header, name] of Object.entries(names)) t.equal(describeUserAgent(header), name)
})
