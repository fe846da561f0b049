"""Lacuna as an application of Ray Serve, which starts replicas, replaces and scales them.

    export LACUNA_CORPUS=corpus LACUNA_TOKEN=… LACUNA_KEEP_IN=redis://…
    ray start --head && serve run deploy.ray_serve:app

Replicas have the environment that Ray was started in on their machine, not that of `serve run`, and
need this file there under the same path. LACUNA_REPLICAS is read by `serve run`; every replica
takes a core. Without LACUNA_CORPUS, a folder from the root or an address, it is the demo. Replicas
share answers and feedback where LACUNA_KEEP_IN says.
Uploads are with the replica that took them, and Ray Serve sends each request to any: who wants to
upload documents needs LACUNA_REPLICAS=1, or another of the files beside this one.
"""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import FastAPI
from ray import serve

from lacuna.corpus.open import open_store
from lacuna.errors import LacunaError
from lacuna.serve.app import make_app
from lacuna.serve.run import answering
from lacuna.serve.shared import open_shared_store
from lacuna.web.access import Access, AllowedHosts, tokens_of_environment


def replica() -> FastAPI:
    """The app of one replica."""
    corpus = os.environ.get("LACUNA_CORPUS")
    keep_in = os.environ.get("LACUNA_KEEP_IN")
    tokens = tokens_of_environment()
    if not tokens:
        raise LacunaError(
            "Set LACUNA_TOKEN to a token for each person, where `ray start` is given: replicas "
            "have the environment that Ray was started in on their machine."
        )
    return make_app(
        [Path(corpus)] if corpus else [],
        open_store,
        *answering(["small"], threads=1),
        access=Access(
            tokens,
            tokens_stay=True,
            hosts=AllowedHosts.of("0.0.0.0", os.environ.get("LACUNA_HOSTS", "").split()),
            local=False,
        ),
        shared=open_shared_store(keep_in) if keep_in else None,
    )


@serve.deployment(
    num_replicas=int(os.environ.get("LACUNA_REPLICAS", "3")),
    ray_actor_options={"num_cpus": 1},
    max_ongoing_requests=40,  # more than a replica's own queue has room for: it says so itself
    graceful_shutdown_timeout_s=40,
)
@serve.ingress(replica)
class Lacuna:
    """One replica: the page and the interface, over one process's model."""


app = Lacuna.bind()  # type: ignore[attr-defined]
