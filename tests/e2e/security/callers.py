# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Callers of a server with tokens, for tests."""

import struct

from warpyard.v1 import (collision_batch_service_pb2 as batch_pb2, collision_batch_service_pb2_grpc,
                         collision_service_pb2 as pb, collision_service_pb2_grpc, job_pb2,
                         load_service_pb2, load_service_pb2_grpc, mesh_pb2,
                         upload_service_pb2_grpc)


def bearer(token):
    return [("authorization", f"Bearer {token}")]


def scene():
    positions = struct.pack("<18d", 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1.5, 1, 2, 1, 1.5, 2)
    return pb.OpenSceneRequest(mesh=mesh_pb2.TriangleMesh(
        positions=mesh_pb2.Positions(scalar_type=mesh_pb2.SCALAR_TYPE_FLOAT64, data=positions),
        triangles=struct.pack("<6I", *range(6))))


class Client:
    """A caller with one token."""

    def __init__(self, channel, token):
        self.metadata = bearer(token) if token else []
        self.collision = collision_service_pb2_grpc.CollisionServiceStub(channel)
        self.batches = collision_batch_service_pb2_grpc.CollisionBatchServiceStub(channel)
        self.load = load_service_pb2_grpc.LoadServiceStub(channel)
        self.uploads = upload_service_pb2_grpc.UploadServiceStub(channel)

    def open(self, **job):
        request = scene()
        request.job.CopyFrom(job_pb2.JobOptions(**job))
        return self.collision.OpenScene(request, metadata=self.metadata).scene

    def close(self, name):
        self.collision.CloseScene(pb.CloseSceneRequest(scene=name), metadata=self.metadata)

    def open_set(self):
        request = batch_pb2.OpenScenesRequest(mesh=scene().mesh, worlds=2)
        return self.batches.OpenScenes(request, metadata=self.metadata).set

    def step_set(self, name):
        """The outcome of a step of one world, which stays where it is."""
        step = batch_pb2.SetStep(set=name, worlds=[1], end=scene().mesh.positions)
        request = batch_pb2.StepBatchRequest(sets=[step])
        return self.batches.StepBatch(request, metadata=self.metadata).sets[0]

    def run_load(self, amount=1, timeout=None, stages=1, **job):
        work = load_service_pb2.LoadWork(kind=load_service_pb2.LOAD_WORK_KIND_SPIN, amount=amount)
        return self.load.RunLoad.future(load_service_pb2.RunLoadRequest(
            job=job_pb2.JobOptions(**job), elements=1, work=work, stages=stages),
            metadata=self.metadata, timeout=timeout)
