import t from 'tap'
import { walkRoutes } from './access-walk.ts'
import { people } from './town.ts'

t.test('every route has the expected status for each role and each kind of credential', t => walkRoutes(t, () => [...people]))
