import type { Language } from '../language.ts'
import { basename, memoizeName, stripSuffixes } from '../names.ts'

/** A cheap test for names of generated code. */
const generated = /[$/]|Generated|__/

/** JVM languages: proxies, lambdas and reflection get numbered or random names at each start. */
export const java: Language = {
  functionName: memoizeName(name => (generated.test(name) ? methodName(name) : name)),
  moduleName: memoizeName(name => (generated.test(name) ? className(name) : name)),
  fileName: memoizeName(path => className(basename(path)))
}

/** `lambda$place$12`, Kotlin's `place$lambda-3`, Scala's `$anonfun$place$1`, Clojure's `fn__1234`. */
function methodName(name: string) {
  const isNumbered = /lambda|\$anonfun\$|^access\$/.test(name)

  return (isNumbered ? stripSuffixes(name, /[$-]\d+$/) : name).replace(/__\d+/g, '')
}

function className(name: string) {
  return name
    .replace(/\$\$Lambda.*/s, '$$$$Lambda')
    .replace(/\/0x[0-9a-f]+/g, '')
    .replace(/(\$\$\w{0,60}?(?:CGLIB|ByGuice))\$\$[0-9a-f]+(?:_\d+)?/g, '$1')
    .replace(/(\$\$_?(?:javassist|jvst))\w*/g, '$1')
    .replace(/(\$(?:HibernateProxy|ByteBuddy|MockitoMock|auxiliary))\$\w+/g, '$1')
    .replace(/(?:jdk|com\.sun)\.proxy\d*\.(\$Proxy)\d+/g, '$1')
    .replace(/(\$Proxy|Generated(?:Method|Constructor|SerializationConstructor)Accessor|fn__|eval__)\d+/g, '$1')
}
