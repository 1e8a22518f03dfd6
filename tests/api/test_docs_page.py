"""The documentation page works offline: every file it names is served here, under a policy that lets it call nobody."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from core.entrypoints.http import Place, make_api
from core.settings import Settings


def test_every_file_of_the_page_is_served_here_and_its_policy_fits() -> None:
    place = Place(settings=Settings(_env_file=None), layer_of=lambda: None)
    http = TestClient(Starlette(routes=[Mount("/api", make_api(place))]))
    page = http.get("/api/docs")
    assert page.status_code == 200
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script>" not in page.text, "an inline script would need the policy to be wider"
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(named) == 4
    for name in named:
        answer = http.get(f"/api/{name}")
        assert answer.status_code == 200, name
        assert len(answer.content) > 100
    assert "SwaggerUIBundle" in http.get("/api/docs/swagger-ui-bundle.js").text
    assert http.get("/api/docs/redoc.standalone.js").status_code == 422
    assert http.get("/api/openapi.json").json()["servers"] == [{"url": "/api"}]
