import { render } from 'preact'
import { guardDrafts } from './act/drafts.ts'
import { App } from './app.tsx'
import { followTheme } from './frame/theme.ts'
import { followSession } from './live/live.ts'
import { followMe } from './live/me.ts'
import { followTimer } from './live/timer.ts'
import { followAddress } from './router/router.ts'
import { arrival, followLinks } from './session/arrival.ts'
import { followOtherTabs, resume } from './session/start.ts'

followTheme()
guardDrafts()
followAddress()
followLinks()
followSession()
followMe()
followTimer()
followOtherTabs()
if (arrival.value === undefined) void resume()
const root = document.getElementById('app')
if (root) render(<App />, root)
